import { useLocalStorage } from '@mantine/hooks';
import { looksLikeKey, type SearchParams } from '../../kit/search-params';

export interface SavedView {
  name: string;
  search: SearchParams;
}

/** Neither a single request nor one moment belongs to a view. */
const LEFT_OUT = ['call', 'since', 'until'];

/** Named addresses of the page, in this browser only. */
export function useSavedViews() {
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: 'console-request-views',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return {
    views,
    save: (name: string, search: SearchParams) =>
      setViews([...views.filter((view) => view.name !== name), { name, search: toKept(search) }]),
    remove: (name: string) => setViews(views.filter((view) => view.name !== name)),
  };
}

/** The part of an address that a view keeps; never text that looks like a key. */
export function toKept(search: SearchParams): SearchParams {
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value && !LEFT_OUT.includes(name) && !looksLikeKey(value)),
  );
}
