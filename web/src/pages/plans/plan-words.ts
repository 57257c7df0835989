import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import type { components, paths } from '../../api/schema';
import { plural } from '../../kit/numbers';

export type PlanView = components['schemas']['PlanView'];
export type TierView = components['schemas']['TierView'];
export type PlanHolder = components['schemas']['PlanHolderView'];
export type NewPlan = components['schemas']['CreatePlanDto'];
export type PlanChange = components['schemas']['UpdatePlanDto'];

type HoldersQuestion = Omit<NonNullable<paths['/api/plans/{id}/holders']['get']['parameters']['query']>, 'cursor'>;

export function holdersQuery(id: string, question: HoldersQuestion) {
  return infiniteQueryOptions({
    queryKey: ['plans', id, 'holders', question],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...question, ...(cursor && { cursor }) };
      return unwrap(api.GET('/api/plans/{id}/holders', { params: { path: { id }, query }, signal }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export async function createPlan(body: NewPlan): Promise<void> {
  await unwrap(api.POST('/api/plans', { body }));
  await refresh();
}

export async function updatePlan(id: string, body: PlanChange): Promise<void> {
  await unwrap(api.PATCH('/api/plans/{id}', { params: { path: { id } }, body }));
  await refresh();
}

/** `until`: the end, ISO 8601; null: none. */
export async function grantPlan(userId: string, planId: string, until: string | null): Promise<void> {
  await unwrap(api.POST('/api/users/{id}/plan', { params: { path: { id: userId } }, body: { planId, until } }));
  await refresh();
}

export async function endPlan(userId: string): Promise<void> {
  await unwrap(api.DELETE('/api/users/{id}/plan', { params: { path: { id: userId } } }));
  await refresh();
}

/** Several lists contain the plans of users, which also decide about the models they can use. */
async function refresh(): Promise<void> {
  await Promise.all(
    ['plans', 'users', 'models', 'limits', 'session'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  );
}

/** The users that a change of a plan's tiers affects, and how. */
export function changeText(plan: PlanView, chosen: readonly string[], tiers: readonly TierView[]): string {
  const users = plural(plan.users ?? 0, 'user is', 'users are');
  const count = (ids: readonly string[]) =>
    tiers.filter(({ id }) => ids.includes(id)).reduce((sum, { models }) => sum + models, 0);
  const added = count(chosen.filter((id) => !plan.tiers.includes(id)));
  const lost = count(plan.tiers.filter((id) => !chosen.includes(id)));
  const changes = [added > 0 && `gain ${modelsText(added)}`, lost > 0 && `lose ${modelsText(lost)}`].filter(Boolean);
  const what = changes.length > 0 ? ` They ${changes.join(' and ')} within a second.` : '';
  return `${users} affected.${what}`;
}

function modelsText(count: number): string {
  return plural(count, 'model');
}

const SOURCES: Readonly<Record<string, string>> = {
  console: 'Console',
  cli: 'Command line',
  oidc: 'Single sign-on',
};

/** The source of a grant, in words. */
export function sourceText({ source }: PlanHolder): string {
  return SOURCES[source] ?? source;
}
