import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, NEXT_PAGE, unwrap } from './client';
import type { components, paths } from './schema';

export type ModelView = components['schemas']['ModelView'];

/** The models that the person can use; for an admin also the others, with the reason. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/models', { signal })),
  staleTime: 60_000,
});

/** The chat models among them. */
export const chatModelsQuery = queryOptions({
  ...modelsQuery,
  select: (models) => models.filter(({ kind }) => kind === 'chat'),
});

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/plans', { signal })),
});

type UsersQuestion = Omit<NonNullable<paths['/api/users']['get']['parameters']['query']>, 'cursor'>;
export type UserView = components['schemas']['UserView'];

const USERS = ['users'] as const;

/** For admins; page by page. */
export function usersQuery(question: UsersQuestion) {
  return infiniteQueryOptions({
    queryKey: [...USERS, 'list', question],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(
        api.GET('/api/users', {
          params: { query: { ...question, ...(cursor && { cursor, limit: NEXT_PAGE }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    // Comparing all pages with those before would block a long list.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: [...USERS, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/users/{id}', { params: { path: { id } }, signal })),
  });
}

/** The first users that a search finds, or those of some ids. */
export function foundUsersQuery(question: UsersQuestion) {
  return queryOptions({
    queryKey: ['users', 'found', question],
    queryFn: async ({ signal }) => {
      const { items } = await unwrap(api.GET('/api/users', { params: { query: question }, signal }));
      return items;
    },
  });
}

export type Budget = components['schemas']['BudgetView'];
export type Rate = components['schemas']['RateView'];
export type UserLimits = components['schemas']['UserLimitsView'];

/** Used rates change every second. */
const REFRESH_MS = 5000;
export const CALCULATING_MS = 1000;

/** Limits of the signed-in person. */
export const ownLimitsQuery = queryOptions({
  queryKey: ['limits', 'mine'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/limits', { signal })),
  refetchInterval: ({ state }) => refreshMs(state.data),
});

/** Limits of a user; for admins. */
export function userLimitsQuery(id: string) {
  return queryOptions({
    queryKey: ['limits', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/users/{id}/limits', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => refreshMs(state.data),
  });
}

function refreshMs(limits: UserLimits | undefined): number | false {
  if (limits && isCalculating(limits.budgets)) return CALCULATING_MS;
  return limits && limits.rates.length > 0 ? REFRESH_MS : false;
}

/** Whether any budget's spending is still being summed up, which takes seconds. */
export function isCalculating(budgets: readonly Budget[]): boolean {
  return budgets.some(({ calculating }) => calculating);
}

export type BudgetNotice = components['schemas']['BudgetStandingView'];
const NOTICES_MS = 60_000;

/** Budgets that the person is to know of, because they are nearly spent. */
export const noticesQuery = queryOptions({
  queryKey: ['budgets', 'notices'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/budgets/notices', { signal })),
  // Not in an interval: an open page that nobody looks at must not keep its session alive.
  staleTime: NOTICES_MS,
});
