import { Select } from '@mantine/core';
import { useSession } from '../../api/session';
import { useUserSearch } from '../use-user-search';
import { userLabel } from '../user-label';

interface UserFieldProps {
  label: string;
  value: string;
  onChange: (userId: string) => void;
}

/** Admins create keys for others, too: a service account cannot do it itself. */
export function UserField({ label, value, onChange }: UserFieldProps) {
  const { user: me } = useSession();
  const users = useUserSearch(
    (user) => (user.kind === 'service' ? `${userLabel(user)} (service account)` : userLabel(user)),
    {
      value: me.id,
      label: `${me.email} (you)`,
    },
  );
  return (
    <Select
      label={label}
      {...users}
      value={value}
      onChange={(userId) => userId && onChange(userId)}
      allowDeselect={false}
      searchable
      onClick={(event) => event.currentTarget.select()}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        // A search without a match must not create a key for the previous owner.
        if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true')
          event.preventDefault();
      }}
    />
  );
}
