import { useLocalStorage } from '@mantine/hooks';
import { useSession } from '../api/session';
import { useUrlValues } from './use-url-state';

const SCOPES = ['mine', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Whose keys and requests the pages show: what the address says, else what was chosen last, on whichever page that was.
 * A member has nothing to choose.
 */
export function useScope(): [Scope, (scope: Scope) => void] {
  const { user } = useSession();
  const [{ scope: wanted }, setValues] = useUrlValues();
  const [remembered, remember] = useLocalStorage<Scope>({
    key: 'console-scope',
    defaultValue: 'mine',
    getInitialValueInEffect: false,
  });
  const choose = (scope: Scope) => {
    remember(scope);
    // Who is no longer looked for among everybody must not narrow what is shown.
    setValues({ scope, ...(scope === 'mine' && { users: undefined }) });
  };
  const scope = SCOPES.find((one) => one === wanted) ?? SCOPES.find((one) => one === remembered) ?? 'mine';
  return [user.role === 'admin' ? scope : 'mine', choose];
}
