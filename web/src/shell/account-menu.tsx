import Keyboard from 'icon:keyboard';
import LogOut from 'icon:log-out';
import UserRound from 'icon:user-round';
import { Text, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/session';
import { DropMenu } from '../kit/drop-menu';
import classes from './account-menu.module.css';
import { signOut } from './sign-out';

export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const { user, plan } = useSession();
  const navigate = useNavigate();
  const shown = user.name || user.email;
  return (
    <DropMenu
      width={240}
      target={
        <UnstyledButton aria-label={`${initialsOf(shown)}: account of ${shown}`} style={{ borderRadius: '50%' }}>
          <span className={classes.avatar} aria-hidden="true">
            {initialsOf(shown)}
          </span>
        </UnstyledButton>
      }
    >
      {(Menu) => (
        <>
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
        </>
      )}
    </DropMenu>
  );
}

function initialsOf(text: string): string {
  const words = text.split(/[\s@._-]+/).filter(Boolean);
  const [first, second] = text.includes('@') ? words : [words[0], words.at(-1)];
  return `${first?.[0] ?? ''}${words.length > 1 ? (second?.[0] ?? '') : ''}`.toUpperCase();
}
