import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import type { components } from '../api/schema';

export type AccessToken = components['schemas']['TokenView'];
export type CreatedToken = components['schemas']['CreatedTokenView'];
export type Permission = components['schemas']['PermissionView'];
export type NewToken = components['schemas']['CreateTokenDto'];

const PAGE_SIZE = 20;

export const TOKENS_KEY = ['tokens'];

/** The tokens of a service account, or one's own, newest first. */
export function tokensQuery(serviceAccountId?: string) {
  return infiniteQueryOptions({
    queryKey: [...TOKENS_KEY, serviceAccountId ?? 'own'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam: cursor }) => {
      const query = { serviceAccountId, cursor, limit: PAGE_SIZE };
      return unwrap(api.GET('/api/tokens', { signal, params: { query } }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/permissions', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export function createToken(body: NewToken): Promise<CreatedToken> {
  return unwrap(api.POST('/api/tokens', { body }));
}

export function revokeToken(id: string): Promise<AccessToken> {
  return unwrap(api.DELETE('/api/tokens/{id}', { params: { path: { id } } }));
}

export async function setPermissions(userId: string, permissions: Permission['id'][]): Promise<void> {
  const names = permissions as NonNullable<components['schemas']['UpdateUserDto']['permissions']>;
  await unwrap(api.PATCH('/api/users/{id}', { params: { path: { id: userId } }, body: { permissions: names } }));
}
