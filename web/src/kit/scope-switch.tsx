import { SegmentedControl } from '@mantine/core';
import { useSession } from '../api/session';
import { type Scope, useScope } from './use-scope';

/** Switches between the person's own data and that of all users; for administrators. */
export function ScopeSwitch({ what }: { what: 'keys' | 'projects' | 'requests' }) {
  const { user } = useSession();
  const [scope, choose] = useScope();
  if (user.role !== 'admin') return null;
  return (
    <SegmentedControl<Scope>
      aria-label={`Whose ${what}`}
      value={scope}
      onChange={choose}
      data={[
        { value: 'mine', label: 'Mine' },
        { value: 'all', label: what === 'projects' ? 'All' : 'Everyone’s' },
      ]}
    />
  );
}
