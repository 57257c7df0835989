import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, UserRound } from 'lucide-react';
import { useSession } from '../api/session';
import { signOut } from './sign-out';

export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const { user, plan } = useSession();
  const navigate = useNavigate();
  const shown = user.name || user.email;
  return (
    <Menu width={240}>
      <Menu.Target>
        <UnstyledButton aria-label={`${initialsOf(shown)}: account of ${shown}`} style={{ borderRadius: '50%' }}>
          <Avatar size={32} color="iris" variant="light" name={shown} aria-hidden="true">
            {initialsOf(shown)}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: '0.5rem 0.75rem 0.625rem' }}>
          <Text size="sm" fw={600} truncate>
            {shown}
          </Text>
          {user.name && (
            <Text size="xs" c="dimmed" truncate>
              {user.email}
            </Text>
          )}
          <Text size="xs" c="dimmed" mt={4}>
            Plan {plan.name}
            {user.role === 'admin' && ' · Administrator'}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<UserRound size={15} aria-hidden="true" />}
          onClick={() => navigate({ to: '/account' })}
        >
          Profile and sessions
        </Menu.Item>
        <Menu.Item leftSection={<Keyboard size={15} aria-hidden="true" />} onClick={onHelp}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={15} aria-hidden="true" />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initialsOf(text: string): string {
  const words = text.split(/[\s@._-]+/).filter(Boolean);
  const [first, second] = text.includes('@') ? words : [words[0], words.at(-1)];
  return `${first?.[0] ?? ''}${words.length > 1 ? (second?.[0] ?? '') : ''}`.toUpperCase();
}
