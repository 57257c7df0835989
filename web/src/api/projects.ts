import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, NEXT_PAGE, unwrap } from './client';
import { queryClient } from './query-client';
import type { components, paths } from './schema';

export type ProjectView = components['schemas']['ProjectView'];
export type ProjectDetail = components['schemas']['ProjectDetailView'];
export type ProjectMember = components['schemas']['ProjectMemberView'];
export type ProjectBudget = components['schemas']['ProjectBudgetView'];
export type ServiceAccount = components['schemas']['ServiceAccountView'];
export type ProjectRole = ProjectMember['role'];
export type ProjectsQuestion = Omit<NonNullable<paths['/api/projects']['get']['parameters']['query']>, 'cursor'>;

const PROJECTS = ['projects'] as const;
const MAX_OFFERED = 200;
/** What is left of rates and budgets changes with each call. */
const REFRESH_MS = 15_000;

/** The person's own projects, or for admins all; page by page. */
export function projectsQuery(question: ProjectsQuestion) {
  return infiniteQueryOptions({
    queryKey: [...PROJECTS, 'list', question],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      unwrap(
        api.GET('/api/projects', {
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

/** The first active projects that the person can make keys for. */
export function managedProjectsQuery(scope: 'mine' | 'all') {
  return queryOptions({
    queryKey: [...PROJECTS, 'managed', scope],
    queryFn: async ({ signal }) => {
      const query = { scope, limit: MAX_OFFERED } as const;
      const { items } = await unwrap(api.GET('/api/projects', { params: { query }, signal }));
      return items.filter(({ canManage }) => canManage);
    },
  });
}

export function projectQuery(id: string) {
  return queryOptions({
    queryKey: [...PROJECTS, 'one', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/projects/{id}', { params: { path: { id } }, signal })),
    refetchInterval: REFRESH_MS,
  });
}

export function serviceAccountsQuery(id: string) {
  return queryOptions({
    queryKey: [...PROJECTS, 'accounts', id],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/projects/{id}/service-accounts', { params: { path: { id } }, signal })),
  });
}

/** The models that the keys of a project can use. */
export function projectModelsQuery(id: string) {
  return queryOptions({
    queryKey: ['models', 'project', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/models', { params: { query: { project: id } }, signal })),
  });
}

/** Loads everything about projects again, after a change. */
export async function refreshProjects(): Promise<void> {
  const changed = [PROJECTS, ['keys'], ['audit']];
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
