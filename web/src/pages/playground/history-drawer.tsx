import History from 'icon:rotate-ccw-clock';
import { Button, CloseButton, Drawer, Stack, Switch, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../kit/empty-state';
import { RelativeTime } from '../../kit/relative-time';
import { type Kept, readHistory, writeHistory } from './history';
import classes from './playground.module.css';

interface HistoryDrawerProps {
  userId: string;
  onClose: () => void;
  onOpen: (conversation: Kept) => void;
}

/** Earlier conversations, if the person keeps them in this browser. */
export function HistoryDrawer({ onClose, ...props }: HistoryDrawerProps) {
  return (
    <Drawer opened onClose={onClose} title="History" size="md">
      <Conversations {...props} />
    </Drawer>
  );
}

function Conversations({ userId, onOpen }: Pick<HistoryDrawerProps, 'userId' | 'onOpen'>) {
  const [known, setKnown] = useState(() => readHistory(userId));
  const change = (conversations: readonly Kept[] | null) => {
    writeHistory(userId, conversations);
    setKnown(conversations);
  };
  return (
    <Stack gap="md">
      <Switch
        label="Keep conversations in this browser"
        description="They stay on this computer and are never sent anywhere. Images are not kept. Turning this off deletes them."
        checked={known !== null}
        onChange={(event) => change(event.currentTarget.checked ? [] : null)}
      />
      {known?.length === 0 && (
        <EmptyState icon={History} title="No conversations yet">
          Conversations are kept here after their first answer.
        </EmptyState>
      )}
      {known && known.length > 0 && (
        <>
          <ul className={classes.kept}>
            {known.map((conversation) => (
              <li key={conversation.id}>
                <UnstyledButton className={classes.keptOpen} onClick={() => onOpen(conversation)}>
                  <Text size="sm" fw={500} lineClamp={2}>
                    {conversation.title}
                  </Text>
                  <Text size="xs" c="dimmed" component="span">
                    {conversation.settings.model} · <RelativeTime value={conversation.savedAt} />
                  </Text>
                </UnstyledButton>
                <CloseButton
                  aria-label={`Delete ${conversation.title}`}
                  onClick={() => change(known.filter(({ id }) => id !== conversation.id))}
                />
              </li>
            ))}
          </ul>
          <Button variant="default" onClick={() => change([])}>
            Delete all
          </Button>
        </>
      )}
    </Stack>
  );
}
