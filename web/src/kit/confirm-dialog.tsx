import { Button, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/api-error';
import { DialogEnd } from './dialog-end';

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
    <Modal opened={opened} onClose={onClose} title={title} size="md">
      <Question {...question} onClose={onClose} />
    </Modal>
  );
}

type QuestionProps = Omit<ConfirmDialogProps, 'opened' | 'title'>;

function Question({ onClose, children, confirmLabel, isDangerous, onConfirm }: QuestionProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <Text size="sm" component="div">
        {children}
      </Text>
      <DialogEnd fault={error !== null ? messageOf(error) : null} onCancel={onClose} isCancelFirst>
        <Button color={isDangerous ? 'red' : undefined} loading={isBusy} onClick={confirm}>
          {confirmLabel}
        </Button>
      </DialogEnd>
    </Stack>
  );
}
