import { Button, Group, Modal, type ModalProps, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CopyTextButton } from './copy-button';
import classes from './kit.module.css';
import { FaultNote } from './notes';
import { returnFocus } from './on-demand';
import { useSubmit } from './use-submit';

interface DialogEndProps {
  fault: string | null;
  onCancel: () => void;
  /** Focuses the cancel button first, because the action cannot be undone. */
  isCancelFirst?: boolean;
  cancelLabel?: string;
  /** The button of the action. */
  children: ReactNode;
}

/** The end of a dialog: the error, the cancel button and the action. */
export function DialogEnd({
  fault,
  onCancel,
  isCancelFirst = false,
  cancelLabel = 'Cancel',
  children,
}: DialogEndProps) {
  return (
    <>
      <FaultNote fault={fault} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel} {...(isCancelFirst && { 'data-autofocus': true })}>
          {cancelLabel}
        </Button>
        {children}
      </Group>
    </>
  );
}

type Frame = Pick<ModalProps, 'title' | 'size' | 'role' | 'withCloseButton' | 'closeOnEscape' | 'closeOnClickOutside'>;

/** What a dialog shows, and how it can be closed. */
export interface DialogContent extends Frame {
  /** It holds a secret, which is forgotten as soon as it closes. */
  isSecret?: boolean;
  content: ReactNode;
}

interface DialogHostProps<Dialog> {
  /** Null closes it. */
  dialog: Dialog | null;
  onClose: () => void;
  /** Gets the focus back, if it is not the element that has it now. */
  opener?: HTMLElement | null;
  children: (dialog: Dialog) => DialogContent;
}

/** Shows a page's dialogs, one at a time. The last one stays drawn while it fades out. */
export function DialogHost<Dialog>({ dialog, onClose, opener, children }: DialogHostProps<Dialog>) {
  const [last, setLast] = useState(dialog);
  if (dialog !== null && dialog !== last) setLast(dialog);
  const shown = dialog ?? last;
  const { content, isSecret = false, ...frame }: DialogContent = shown === null ? { content: null } : children(shown);
  if (dialog === null && isSecret) setLast(null);
  const focus = opener !== undefined && { returnFocus: false, onExitTransitionEnd: () => returnFocus(opener) };
  return (
    <Modal {...frame} {...focus} opened={dialog !== null} onClose={onClose}>
      {content}
    </Modal>
  );
}

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The verb: "Revoke key". */
  confirmLabel: string;
  isDangerous?: boolean;
  /** If this fails, the dialog stays open with the reason. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before an action that cannot be undone easily. */
export function ConfirmDialog({ opened, onClose, title, ...question }: ConfirmDialogProps) {
  return (
    <DialogHost dialog={opened || null} onClose={onClose}>
      {() => ({ title, content: <Question {...question} onClose={onClose} /> })}
    </DialogHost>
  );
}

type QuestionProps = Omit<ConfirmDialogProps, 'opened' | 'title'>;

/** The content of a dialog that asks before an action. */
export function Question({ onClose, children, confirmLabel, isDangerous, onConfirm }: QuestionProps) {
  const { submit, isBusy, fault } = useSubmit(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Stack gap="md">
      <Text size="sm" component="div">
        {children}
      </Text>
      <DialogEnd fault={fault} onCancel={onClose} isCancelFirst>
        <Button color={isDangerous ? 'red' : undefined} loading={isBusy} onClick={submit}>
          {confirmLabel}
        </Button>
      </DialogEnd>
    </Stack>
  );
}

interface ContentLogSwitch {
  isOn: boolean;
  /** "this key" */
  whose: string;
  /** At the start of a sentence. */
  readers: string;
  /** How long prompts and answers are kept. */
  days: number;
}

/** What switching the content log on or off means. */
export function contentLogText({ isOn, whose, readers, days }: ContentLogSwitch): string {
  if (isOn) return 'New prompts and answers are no longer stored. Those that are stored stay until they expire.';
  return `The prompts and answers of all requests with ${whose} will be stored, encrypted, for ${daysText(days)}. ${readers} can read them in the details of a request; the audit log records every view.`;
}

function daysText(days: number): string {
  if (days < 1) return `${Math.round(days * 24)} hours`;
  return days === 1 ? 'a day' : `${Math.round(days)} days`;
}

interface OneTimeSecretProps {
  /** Kept only in memory, never in the address, in storage or in a log. */
  value: string;
  label: string;
  description?: string;
  onCopied?: () => void;
}

/** A value that is shown only once: a click selects it, and a button copies it. */
export function OneTimeSecret({ value, label, description, onCopied }: OneTimeSecretProps) {
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          className={classes.field}
          classNames={{ input: classes.input }}
          label={label}
          value={value}
          readOnly
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopied}
        />
        <CopyTextButton value={value} autoFocus onCopied={onCopied} />
      </Group>
      {description && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  );
}
