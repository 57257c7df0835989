import TriangleAlert from 'icon:triangle-alert';
import { Alert, Button, Collapse, Group, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { CodeBlock } from '../../kit/code-block';
import { CopyButton } from '../../kit/copy-button';
import { TextLink } from '../../kit/page';
import type { Failure, Turn } from './chat-settings';
import classes from './playground.module.css';

interface TurnEditorProps {
  turn: Turn;
  /** `isRun`: continues the conversation from here immediately. */
  onSave: (text: string, isRun: boolean) => void;
  onCancel: () => void;
}

/** A message's text, edited in place. */
export function TurnEditor({ turn, onSave, onCancel }: TurnEditorProps) {
  const [text, setText] = useState(turn.text);
  const canRun = turn.role !== 'assistant';
  return (
    <>
      <Textarea
        aria-label="Text of the message"
        autosize
        minRows={2}
        maxRows={16}
        autoFocus
        value={text}
        placeholder={turn.role === 'tool' ? 'Result of the tool' : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onCancel();
          }
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            onSave(text, canRun);
          }
        }}
      />
      <Group gap="xs" mt="xs">
        {canRun && (
          <Button size="xs" onClick={() => onSave(text, true)}>
            Save and answer
          </Button>
        )}
        <Button size="xs" variant={canRun ? 'default' : 'filled'} onClick={() => onSave(text, false)}>
          Save
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </>
  );
}

/** Why there is no complete answer: in words, and as the API said it. */
export function FailureNote({ failure }: { failure: Failure }) {
  const [isOpen, body] = useDisclosure(false);
  const { message, status, requestId } = failure;
  return (
    <Alert
      color="red"
      role="alert"
      classNames={{ body: classes.failure }}
      icon={<TriangleAlert size={17} aria-hidden="true" />}
      title={status ? `Error ${status}` : 'Error'}
    >
      <Text size="sm">{message}</Text>
      <Group gap="xs" mt="xs">
        {requestId && (
          <Group gap={2} wrap="nowrap">
            <TextLink to="/requests" search={{ range: '30d', call: requestId }} size="xs">
              {requestId}
            </TextLink>
            <CopyButton value={requestId} what="request id" size={13} />
          </Group>
        )}
        {failure.body && (
          <Button size="compact-xs" variant="subtle" color="red" aria-expanded={isOpen} onClick={body.toggle}>
            {isOpen ? 'Hide the answer' : 'Show the answer'}
          </Button>
        )}
      </Group>
      {failure.body && (
        <Collapse expanded={isOpen} mt="xs">
          <CodeBlock code={pretty(failure.body)} label="error" />
        </Collapse>
      )}
    </Alert>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
