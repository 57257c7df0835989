import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { FaultNote } from './fault-note';

interface DialogEndProps {
  fault: string | null;
  onCancel: () => void;
  /** The dialog opens with the focus on the way back: what it does cannot be undone. */
  isCancelFirst?: boolean;
  /** The button that does it. */
  children: ReactNode;
}

/** The last part of a dialog: what went wrong, the way back, and the way on. */
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
