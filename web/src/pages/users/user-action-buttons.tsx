import Ellipsis from 'icon:ellipsis';
import { ActionIcon, Button } from '@mantine/core';
import { DropMenu } from '../../kit/drop-menu';
import { userLabel } from '../../kit/user-label';
import { type UserActionKind, userActions } from './user-actions';
import type { UserView } from './users-queries';

const AS_BUTTONS: readonly UserActionKind[] = ['limits', 'plan', 'disable', 'enable'];

interface UserActionButtonsProps {
  user: UserView;
  onAction: (kind: UserActionKind) => void;
}

/** The most important actions as buttons, the others in a menu. */
export function UserActionButtons({ user, onAction }: UserActionButtonsProps) {
  const actions = userActions(user);
  return (
    <>
      {actions
        .filter(({ kind }) => AS_BUTTONS.includes(kind))
        .map(({ kind, label, isDangerous }) => (
          <Button
            key={kind}
            variant={isDangerous ? 'light' : 'default'}
            color={isDangerous ? 'red' : undefined}
            onClick={() => onAction(kind)}
          >
            {label}
          </Button>
        ))}
      <DropMenu
        position="bottom-end"
        target={
          <ActionIcon size={36} aria-label={`More actions for ${userLabel(user)}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </ActionIcon>
        }
      >
        {(Menu) =>
          actions
            .filter(({ kind }) => !AS_BUTTONS.includes(kind))
            .map(({ kind, label }) => (
              <Menu.Item key={kind} onClick={() => onAction(kind)}>
                {label}
              </Menu.Item>
            ))
        }
      </DropMenu>
    </>
  );
}
