import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { commandKey } from '../kit/shortcuts';

const shortcuts: [keys: string[], what: string][] = [
  [[commandKey, 'K'], 'Find a page or an action'],
  [['?'], 'Show these shortcuts'],
  [['/'], 'Go to the search field of a list'],
  [['C'], 'Create a key, on the API Keys page'],
  [[commandKey, 'Enter'], 'Send, in the playground'],
  [['Esc'], 'Close a dialog; stop an answer in the playground'],
];

export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="md">
      <Stack gap="sm">
        {shortcuts.map(([keys, what]) => (
          <Group key={what} justify="space-between" wrap="nowrap">
            <Text size="sm">{what}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
