import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Turn } from './chat.types';

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
