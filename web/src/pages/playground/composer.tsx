import ChevronDown from 'icon:chevron-down';
import ImagePlus from 'icon:image-plus';
import SendHorizontal from 'icon:send-horizontal';
import Square from 'icon:square';
import { ActionIcon, Button, CloseButton, FileButton, Group, Kbd, Text, Textarea } from '@mantine/core';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useState } from 'react';
import { formatNumber, formatUsd } from '../../kit/numbers';
import { DropMenu, Tip } from '../../kit/on-demand';
import { commandKey } from '../../kit/shortcuts';
import type { Draft, Image } from './chat-settings';
import type { Estimate } from './estimate';
import { formatBytes, IMAGE_TYPES, readImages } from './images';
import classes from './playground.module.css';
import { NO_DRAFT, playgroundState } from './playground-store';
import { loadAnswerSteps } from './use-playground-page';

interface ComposerProps {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  isRunning: boolean;
  takesImages: boolean;
  /** Why nothing can be sent; null if it can. */
  fault: string | null;
  /** What the next message will cost about, for each model that answers. */
  estimates: readonly Estimate[];
  /** Whether there is something to answer without a new message. */
  canContinue: boolean;
  onSend: (text: string, images: readonly Image[]) => void;
  onAdd: (role: 'user' | 'assistant', text: string, images: readonly Image[]) => void;
  onStop: () => void;
}

/** The field of the next message. */
export function Composer({ draft, onDraft, isRunning, takesImages, fault, canContinue, ...props }: ComposerProps) {
  const { estimates, onSend, onAdd, onStop } = props;
  const { text, images } = draft;
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);
  const isEmpty = text.trim() === '' && images.length === 0;
  const canSend = fault === null && !isRunning && (!isEmpty || canContinue);

  const empty = () => {
    onDraft(NO_DRAFT);
    setFaults([]);
  };
  const send = () => {
    if (!canSend) return;
    onSend(text, images);
    empty();
  };
  const attach = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const read = await readImages(files);
    const known = playgroundState().draft;
    onDraft({ ...known, images: [...known.images, ...read.images] });
    setFaults(read.faults);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (!takesImages || files.length === 0) return;
    event.preventDefault();
    void attach(files);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (takesImages) void attach([...event.dataTransfer.files]);
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(takesImages);
  };

  return (
    <section
      className={classes.composer}
      aria-label="New message"
      data-over={isOver || undefined}
      onDrop={onDrop}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
    >
      {images.length > 0 && (
        <AttachedImages
          images={images}
          onRemove={(id) => onDraft({ text, images: images.filter((image) => image.id !== id) })}
        />
      )}
      <Textarea
        variant="unstyled"
        aria-label="Message"
        placeholder={takesImages ? 'Write a message; paste or drop images' : 'Write a message'}
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        classNames={{ input: classes.composerInput }}
        onChange={(event) => onDraft({ text: event.currentTarget.value, images })}
        onFocus={() => void loadAnswerSteps().catch(() => undefined)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {faults.map((one) => (
        <Text key={one} size="xs" c="var(--console-bad)" role="alert">
          {one}
        </Text>
      ))}
      <Group className={classes.foot}>
        <Group gap={4} wrap="nowrap">
          {takesImages && <AttachButton onFiles={attach} />}
          {!isEmpty && !isRunning && (
            <AddMenu
              onAdd={(role) => {
                onAdd(role, text, images);
                empty();
              }}
            />
          )}
        </Group>
        <Group gap="xs" wrap="nowrap" className={classes.sending}>
          {fault === null && (!isEmpty || canContinue) && !isRunning && (
            <Text size="xs" c="dimmed" ta="right" component="div" className={classes.estimate}>
              {estimates.map((one) => (
                <div key={one.model}>{estimateText(one, estimates.length > 1)}</div>
              ))}
            </Text>
          )}
          {fault !== null && (
            <Text size="xs" c="dimmed" ta="right">
              {fault}
            </Text>
          )}
          {isRunning ? (
            <Button
              color="gray"
              variant="default"
              leftSection={<Square size={13} fill="currentColor" aria-hidden="true" />}
              onClick={onStop}
            >
              Stop <Hint keys="Esc" />
            </Button>
          ) : (
            <Button disabled={!canSend} leftSection={<SendHorizontal size={15} aria-hidden="true" />} onClick={send}>
              {isEmpty && canContinue ? 'Answer' : 'Send'} <Hint keys={`${commandKey} ↵`} />
            </Button>
          )}
        </Group>
      </Group>
    </section>
  );
}

/** "≈ 1,200 tokens, $0.0024; at most $0.31 with the longest answer" */
function estimateText({ model, tokens, promptUsd, mostUsd }: Estimate, isNamed: boolean): string {
  const most = mostUsd ? `; at most ${formatUsd(mostUsd)} with the longest answer` : '';
  const cost = promptUsd === null ? '' : `, ${formatUsd(promptUsd)}${most}`;
  return `${isNamed ? `${model}: ` : ''}≈ ${formatNumber(tokens)} tokens${cost}`;
}

function Hint({ keys }: { keys: string }) {
  return (
    <Kbd size="xs" ml={8} aria-hidden="true" className={classes.hint}>
      {keys}
    </Kbd>
  );
}

function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <FileButton onChange={onFiles} accept={IMAGE_TYPES.join(',')} multiple>
      {(props) => (
        <Tip label="Attach images">
          <ActionIcon {...props} size="lg" aria-label="Attach images">
            <ImagePlus size={18} aria-hidden="true" />
          </ActionIcon>
        </Tip>
      )}
    </FileButton>
  );
}

function AddMenu({ onAdd }: { onAdd: (role: 'user' | 'assistant') => void }) {
  return (
    <DropMenu
      position="top-start"
      target={
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          rightSection={<ChevronDown size={14} aria-hidden="true" />}
        >
          Add without sending
        </Button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item onClick={() => onAdd('user')}>As my message</Menu.Item>
          <Menu.Item onClick={() => onAdd('assistant')}>As the assistant's answer</Menu.Item>
        </>
      )}
    </DropMenu>
  );
}

function AttachedImages({ images, onRemove }: { images: readonly Image[]; onRemove: (id: string) => void }) {
  return (
    <ul className={classes.attached}>
      {images.map(({ id, name, url, bytes }) => (
        <li key={id}>
          <img src={url} alt="" />
          <span>
            {name}
            <small>{formatBytes(bytes)}</small>
          </span>
          <CloseButton size="sm" aria-label={`Remove ${name}`} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  );
}
