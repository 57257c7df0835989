import '@mantine/notifications/styles.layer.css';
import Check from 'icon:check';
import TriangleAlert from 'icon:triangle-alert';
import { Button, Group, Text } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { ApiError, messageOf } from '../api/api-error';

const UNDO_MS = 8000;
const SHARED = { withBorder: true, closeButtonProps: { 'aria-label': 'Dismiss' } };

/** The short messages of `notify`. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={4} autoClose={6000} />;
}

export function showDone(message: string, undo?: () => void): void {
  const id = notifications.show({
    ...SHARED,
    message: undo ? <WithUndo message={message} onUndo={() => undoAndHide()} /> : message,
    icon: <Check size={16} aria-hidden="true" />,
    color: 'teal',
    autoClose: undo ? UNDO_MS : undefined,
  });
  const undoAndHide = () => {
    notifications.hide(id);
    undo?.();
  };
}

export function showError(error: unknown): void {
  const requestId = error instanceof ApiError ? error.requestId : null;
  notifications.show({
    ...SHARED,
    title: messageOf(error),
    message: requestId ? `Request ${requestId}` : undefined,
    icon: <TriangleAlert size={16} aria-hidden="true" />,
    color: 'red',
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
