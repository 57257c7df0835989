import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { FaultNote } from './fault-note';

interface DialogEndProps {
  fault: string | null;
  onCancel: () => void;
  /** Focuses the cancel button first, because the action cannot be undone. */
  isCancelFirst?: boolean;
  /** The button of the action. */
  children: ReactNode;
}

/** The end of a dialog: the error, the cancel button and the action. */
export function DialogEnd({ fault, onCancel, isCancelFirst = false, children }: DialogEndProps) {
  return (
    <>
      <FaultNote fault={fault} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel} {...(isCancelFirst && { 'data-autofocus': true })}>
          Cancel
        </Button>
        {children}
      </Group>
    </>
  );
}
