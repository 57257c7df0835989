import Check from 'icon:check';
import TriangleAlert from 'icon:triangle-alert';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiError, messageOf } from '../api/api-error';

const UNDO_MS = 8000;
const CLOSE = { 'aria-label': 'Dismiss' };

/** A short confirmation, with Undo where possible. */
export function notifyDone(message: string, undo?: () => void): void {
  const id = notifications.show({
    message: undo ? <WithUndo message={message} onUndo={() => undoAndHide()} /> : message,
    icon: <Check size={16} aria-hidden="true" />,
    color: 'teal',
    withBorder: true,
    closeButtonProps: CLOSE,
    autoClose: undo ? UNDO_MS : undefined,
  });
  const undoAndHide = () => {
    notifications.hide(id);
    undo?.();
  };
}

/** Why something failed, with the request's id. */
export function notifyError(error: unknown): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  notifications.show({
    title: messageOf(error),
    message: requestId ? `Request ${requestId}` : undefined,
    icon: <TriangleAlert size={16} aria-hidden="true" />,
    color: 'red',
    withBorder: true,
    closeButtonProps: CLOSE,
    autoClose: 10_000,
    role: 'alert',
  });
}

function WithUndo({ message, onUndo }: { message: string; onUndo: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm">{message}</Text>
      <Button size="compact-sm" variant="light" onClick={onUndo}>
        Undo
      </Button>
    </Group>
  );
}
