import { useLocalStorage } from '@mantine/hooks';
import { useSession } from '../api/session';
import { useUrlValues } from './use-url-state';

const SCOPES = ['mine', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Whose keys and requests the pages show: from the address, otherwise the last choice on any page. Members have no
 * choice.
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
    // The filter for a user must not apply when everyone's requests are no longer shown.
    setValues({ scope, ...(scope === 'mine' && { users: undefined }) });
  };
  const scope = SCOPES.find((one) => one === wanted) ?? SCOPES.find((one) => one === remembered) ?? 'mine';
  return [user.role === 'admin' ? scope : 'mine', choose];
}
