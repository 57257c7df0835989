import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { api, unwrap } from '../api/client';
import { mayAll, useSession } from '../api/session';
import { userLabel } from './words';

/** What a search finds. */
export interface Found {
  kind: 'request' | 'key' | 'user' | 'model' | 'project' | 'upstream';
  id: string;
  label: string;
  detail: string;
}

/** Ids of requests and of the answers of every API. */
const REQUEST_ID = /^(req_|chatcmpl-|refused-|resp_|msg_)[\w-]{6,100}$/;
const TYPING_MS = 200;
const SHORTEST = 2;
const MAX = 6;
const STORED_MS = 60_000;
/** A constant, so that it causes no new rendering. */
const NONE: readonly Found[] = [];

/**
 * The results of a search for an id, a key's name or display form, a model, a project, a user or an upstream. `text`:
 * without a whole key.
 */
export function useFound(text: string): { found: readonly Found[]; isSearching: boolean } {
  const session = useSession();
  const [requested] = useDebouncedValue(text.trim(), TYPING_MS);
  const scopes = keyScopes(mayAll(session, 'users.read'), session.projectRole !== null);
  const query = useQuery(foundQuery(requested, scopes));
  const isRequested = text.trim().length >= SHORTEST;
  return {
    found: (isRequested && query.data) || NONE,
    isSearching: isRequested && (query.isFetching || requested !== text.trim()),
  };
}

type KeyScope = 'mine' | 'projects' | 'all';

/** Whose keys a person can find. */
function keyScopes(isAdmin: boolean, hasProjects: boolean): KeyScope[] {
  if (isAdmin) return ['all'];
  return hasProjects ? ['mine', 'projects'] : ['mine'];
}

function foundQuery(text: string, scopes: KeyScope[]) {
  const isAdmin = scopes.includes('all');
  return queryOptions({
    queryKey: ['found', text, scopes],
    queryFn: async ({ signal }) => {
      if (REQUEST_ID.test(text)) return requestOf(text, signal);
      const all = await Promise.all([
        ...scopes.map((scope) => keysOf(text, scope, signal)),
        isAdmin ? usersOf(text, signal) : [],
        modelsOf(text, signal),
        projectsOf(text, isAdmin, signal),
        isAdmin ? upstreamsOf(text, signal) : [],
      ]);
      return all.flat();
    },
    enabled: text.length >= SHORTEST,
    staleTime: STORED_MS,
    gcTime: STORED_MS,
  });
}

async function requestOf(id: string, signal: AbortSignal): Promise<Found[]> {
  try {
    const call = await unwrap(api.GET('/api/usage/calls/{id}', { params: { path: { id } }, signal }));
    return [
      { kind: 'request', id: call.id, label: call.requestId, detail: `${call.model || 'no model'} · ${call.keyName}` },
    ];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

async function keysOf(q: string, scope: KeyScope, signal: AbortSignal): Promise<Found[]> {
  const query = { q, scope, status: 'all', limit: MAX } as const;
  const { items } = await unwrap(api.GET('/api/keys', { params: { query }, signal }));
  return items.map(({ id, name, display, owner }) => ({
    kind: 'key',
    id,
    label: name,
    detail: scope === 'mine' ? display : `${display} · ${userLabel(owner)}`,
  }));
}

async function usersOf(q: string, signal: AbortSignal): Promise<Found[]> {
  const { items } = await unwrap(api.GET('/api/users', { params: { query: { q, limit: MAX } }, signal }));
  return items.map(({ id, name, email }) => ({ kind: 'user', id, label: name || email || '', detail: email ?? '' }));
}

async function projectsOf(q: string, isAdmin: boolean, signal: AbortSignal): Promise<Found[]> {
  const query = { q, scope: isAdmin ? 'all' : 'mine', limit: MAX } as const;
  const { items } = await unwrap(api.GET('/api/projects', { params: { query }, signal }));
  return items.map(({ id, name }) => ({ kind: 'project', id, label: name, detail: name }));
}

async function upstreamsOf(text: string, signal: AbortSignal): Promise<Found[]> {
  const word = text.toLowerCase();
  const { upstreams } = await unwrap(api.GET('/api/upstreams', { signal }));
  return upstreams
    .filter(({ name }) => name.toLowerCase().includes(word))
    .slice(0, MAX)
    .map(({ name }) => ({ kind: 'upstream', id: name, label: name, detail: name }));
}

async function modelsOf(text: string, signal: AbortSignal): Promise<Found[]> {
  const word = text.toLowerCase();
  const models = await unwrap(api.GET('/api/models', { signal }));
  return models
    .filter(({ id, displayName }) => `${id} ${displayName}`.toLowerCase().includes(word))
    .slice(0, MAX)
    .map(({ id, displayName }) => ({ kind: 'model', id, label: displayName, detail: id }));
}
