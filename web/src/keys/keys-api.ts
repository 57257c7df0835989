import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, NEXT_PAGE, unwrap } from '../api/client';
import { CALCULATING_MS, isCalculating } from '../api/lists';
import { queryClient } from '../api/query-client';
import type { components, paths } from '../api/schema';
import { notifyDone, notifyError } from '../kit/notify';

export type KeyView = components['schemas']['KeyView'];
export type KeyDetails = components['schemas']['KeyDetailsView'];
/** Contains the secret: it stays in the state of the dialog that shows it, and is never cached. */
export type CreatedKey = components['schemas']['CreatedKeyView'];
export type KeyInput = components['schemas']['CreateKeyDto'];
export type KeyChange = components['schemas']['UpdateKeyDto'];
export type Overlap = components['schemas']['RotateKeyDto']['overlap'];

export type KeysQuestion = Omit<NonNullable<paths['/api/keys']['get']['parameters']['query']>, 'cursor'>;

const LISTS = ['keys'] as const;
const NAMES = ['key-names'] as const;

export function keysQuery(question: KeysQuestion) {
  return infiniteQueryOptions({
    queryKey: [...LISTS, question],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(
        api.GET('/api/keys', {
          params: { query: { ...question, ...(cursor && { cursor, limit: NEXT_PAGE }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    // Comparing all pages with those before would block a long list.
    structuralSharing: false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ budgets }) => isCalculating(budgets)))
        ? CALCULATING_MS
        : false,
  });
}

const ONE = ['key'] as const;
const REFRESH_MS = 5000;

/** One key; of one with rates, their use changes every second. */
export function keyQuery(id: string) {
  return queryOptions({
    queryKey: [...ONE, id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/keys/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => {
      if (data && isCalculating(data.budgets)) return CALCULATING_MS;
      return data && (data.rates.length > 0 || data.previous) ? REFRESH_MS : false;
    },
  });
}

/** Whether there is any key, including revoked ones. */
export function anyKeyQuery(scope: 'mine' | 'all') {
  return queryOptions({
    queryKey: [...NAMES, 'any', scope],
    queryFn: async ({ signal }) => {
      const { items } = await unwrap(api.GET('/api/keys', { params: { query: { scope, limit: 1 } }, signal }));
      return items.length > 0;
    },
  });
}

/** The names of the person's own keys that contain this text. */
export function namesQuery(q: string) {
  return queryOptions({
    queryKey: [...NAMES, q],
    queryFn: async ({ signal }) => {
      const question = { q, status: 'current', limit: 200 } as const;
      const { items } = await unwrap(api.GET('/api/keys', { params: { query: question }, signal }));
      return items.map(({ name }) => name);
    },
  });
}

/** The data of the revoke dialog; never cached. */
export function activityQuery(id: string) {
  return queryOptions({
    queryKey: ['key-activity', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/keys/{id}/activity', { params: { path: { id } }, signal })),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Not a mutation of the query library, which would remember the response. */
export async function createKey(body: KeyInput): Promise<CreatedKey> {
  const created = await unwrap(api.POST('/api/keys', { body }));
  void refreshKeys();
  return created;
}

/** See `createKey`. */
export async function rotateKey(id: string, overlap: Overlap): Promise<CreatedKey> {
  const rotated = await unwrap(api.POST('/api/keys/{id}/rotate', { params: { path: { id } }, body: { overlap } }));
  void refreshKeys();
  return rotated;
}

/** Ends the previous secret of a rotated key. */
export async function endPrevious(id: string): Promise<void> {
  showChanged([await unwrap(api.POST('/api/keys/{id}/end-previous', { params: { path: { id } } }))]);
}

export async function updateKey(id: string, body: KeyChange): Promise<void> {
  showChanged([await unwrap(api.PATCH('/api/keys/{id}', { params: { path: { id } }, body }))]);
}

/** Shows a key's new state before the gateway has confirmed it; undone if that fails. */
export async function setDisabled(key: KeyView, disabled: boolean): Promise<void> {
  showInLists({ ...key, status: disabled ? 'disabled' : 'active' });
  try {
    await updateKey(key.id, { disabled });
  } catch (error) {
    showInLists(key);
    throw error;
  }
}

export async function switchContentLog({ id }: KeyView, on: boolean): Promise<void> {
  await unwrap(api.PUT('/api/keys/{id}/content-log', { params: { path: { id } }, body: { on } }));
  await refreshKeys();
}

export type BulkChange = components['schemas']['ChangeKeysDto']['change'];

/** All of the keys, or none. */
export async function changeKeys(keys: readonly KeyView[], change: BulkChange): Promise<void> {
  const ids = keys.map(({ id }) => id);
  showChanged(await unwrap(api.POST('/api/keys/changes', { body: { ids, change } })));
}

/** Reports the result, with Undo. */
export function notifyChanged(keys: readonly KeyView[], change: 'disable' | 'enable'): void {
  const undo = () => void changeKeys(keys, change === 'disable' ? 'enable' : 'disable').catch(notifyError);
  notifyDone(`${keys.length === 1 ? '1 key is' : `${keys.length} keys are`} ${change}d`, undo);
}

/** The number of calls of each key; never cached. */
export function callsQuery(ids: string[]) {
  return queryOptions({
    queryKey: ['key-calls', ids],
    queryFn: ({ signal }) => unwrap(api.POST('/api/keys/activity', { body: { ids }, signal })),
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * Updates the rows in place immediately; the next response of the gateway determines their position, and whether they
 * are listed.
 */
function showChanged(keys: readonly KeyView[]): void {
  keys.forEach(showInLists);
  void refreshKeys();
}

function showInLists(changed: KeyView): void {
  queryClient.setQueryData(keyQuery(changed.id).queryKey, (key) => key && { ...key, ...changed });
  queryClient.setQueriesData<InfiniteData<{ items: KeyView[] }>>({ queryKey: LISTS }, (list) => {
    if (!list) return list;
    const pages = list.pages.map((page) => ({
      ...page,
      items: page.items.map((key) => (key.id === changed.id ? changed : key)),
    }));
    return { ...list, pages };
  });
}

/** Also whether there is a key, which the overview shows. */
async function refreshKeys(): Promise<void> {
  const changed = [LISTS, ONE, NAMES, ['overview'], ['projects']];
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
