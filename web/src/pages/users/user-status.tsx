import MailQuestionMark from 'icon:mail-question-mark';
import { StatusBadge } from '../../kit/status-badge';
import type { UserView } from './users-queries';

export const STATUS_NAMES: Record<UserView['status'], string> = {
  active: 'Active',
  invited: 'Invited',
  disabled: 'Disabled',
};

export const SOURCE_NAMES: Record<UserView['source'], string> = {
  local: 'Password',
  oidc: 'Single sign-on',
  service: 'Service account',
};

export function UserStatus({ status }: { status: UserView['status'] }) {
  if (status === 'invited') {
    return (
      <StatusBadge tone="waiting" icon={MailQuestionMark}>
        {STATUS_NAMES.invited}
      </StatusBadge>
    );
  }
  return <StatusBadge tone={status === 'active' ? 'good' : 'bad'}>{STATUS_NAMES[status]}</StatusBadge>;
}
