import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import type { components } from '../api/schema';
import { looksOf, MAX_SERIES, REST_LOOK, type Series } from '../charts/series';
import { zoneName } from '../kit/range';

export type UsageReport = components['schemas']['UsageReportView'];
export type UsageTotals = components['schemas']['UsageTotalsView'];
export type ShownCall = components['schemas']['CallView'];

/** The key, user or model whose usage a page shows. Members of a project can see the usage of its keys. */
export type Whose = { key: string; project: string | null } | { user: string } | { model: string };

export type UsageGrouping = 'model' | 'key' | 'user' | 'project';

/** Statuses of requests that a person may want to investigate. */
export const TROUBLE_STATUSES = ['failed', 'interrupted', 'refused'];

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Enough to fill the list with different errors. */
const MAX_FAILED = 50;
const REFRESH_MS = 60_000;

/** How the usage is grouped; for a model, by the owners of the visible calls. */
export function groupingOf(whose: Whose, isAdmin: boolean): UsageGrouping {
  if (!('model' in whose)) return 'model';
  return isAdmin ? 'user' : 'key';
}

/** The last 30 days, by day and group. `isAdmin`: also of others. */
export function monthOfUseQuery(whose: Whose, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['standing', 'use', whose, isAdmin],
    queryFn: ({ signal }) => {
      const span = { ...spanOf(new Date()), zone: zoneName('local'), granularity: 'day' } as const;
      const groupBy = groupingOf(whose, isAdmin);
      const query = { ...span, ...filterOf(whose, isAdmin), groupBy, rankBy: 'requests' } as const;
      return unwrap(api.GET('/api/usage', { params: { query }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
}

/** The newest failed and refused requests of the last 30 days. */
export function recentFailuresQuery(whose: Whose, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['standing', 'failures', whose, isAdmin],
    queryFn: async ({ signal }) => {
      const query = { ...spanOf(new Date()), ...filterOf(whose, isAdmin), statuses: TROUBLE_STATUSES };
      const params = { query: { ...query, limit: MAX_FAILED } };
      return (await unwrap(api.GET('/api/usage/calls', { params, signal }))).items;
    },
    refetchInterval: REFRESH_MS,
  });
}

/** As many days as a month-long range of the other pages has. */
export function spanOf(now: Date) {
  const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1 - DAYS);
  return { from: from.toISOString(), to: new Date(now.getTime() + DAY_MS / 24).toISOString() };
}

function filterOf(whose: Whose, isAdmin: boolean) {
  return { ...ownerFilter(whose), scope: isAdmin ? ('all' as const) : ('mine' as const) };
}

function ownerFilter(whose: Whose) {
  if ('model' in whose) return { models: [whose.model] };
  if ('user' in whose) return { users: [whose.user] };
  return { keys: [whose.key], ...(whose.project && { projects: [whose.project] }) };
}

/** The same filter in the address of the pages Usage and Requests. */
export function searchOf(whose: Whose, isAdmin: boolean): Record<string, string> {
  const range = { range: '30d', scope: isAdmin ? 'all' : 'mine' };
  if ('model' in whose) return { ...range, models: whose.model };
  if ('user' in whose) return { ...range, users: whose.user };
  return { ...range, keys: whose.key, ...(whose.project && !isAdmin && { projects: whose.project }) };
}

/** An amount of each of the report's largest groups over time, and of all others together. */
export function groupSeries({ groups, series }: UsageReport, of: (totals: UsageTotals) => number): Series[] {
  const shown = groups.filter(({ hasSeries }) => hasSeries).slice(0, MAX_SERIES);
  const looks = looksOf(shown.map(({ id }) => id));
  const ids = new Set(shown.map(({ id }) => id));
  const ofGroups = shown.map(({ id, label }) => ({
    id,
    label,
    ...(looks.get(id) ?? REST_LOOK),
    values: series.map((point) => sumOf(point.groups, of, (one) => one === id)),
  }));
  const rest = series.map((point) => sumOf(point.groups, of, (one) => !ids.has(one)));
  if (rest.every((value) => value === 0)) return ofGroups;
  return [...ofGroups, { id: '~other', label: 'Others', ...REST_LOOK, values: rest }];
}

function sumOf(
  groups: Record<string, UsageTotals>,
  of: (totals: UsageTotals) => number,
  isRequired: (id: string) => boolean,
): number {
  return Object.entries(groups).reduce((sum, [id, totals]) => (isRequired(id) ? sum + of(totals) : sum), 0);
}

export function tokensOf({ inputTokens, outputTokens }: UsageTotals): number {
  return inputTokens + outputTokens;
}

/** One request, or several with the same error. */
export interface RequestRow {
  /** The newest of them. */
  call: ShownCall;
  count: number;
}

/** One row for all requests with the same error, model and key, and one for each other request. */
export function toRows(calls: readonly ShownCall[]): RequestRow[] {
  const rows = new Map<string, RequestRow>();
  for (const call of calls) {
    const name = TROUBLE_STATUSES.includes(call.status) ? errorOf(call) : call.id;
    const row = rows.get(name);
    if (row) row.count++;
    else rows.set(name, { call, count: 1 });
  }
  return [...rows.values()];
}

/** The numbers in a message, such as seconds to wait, differ between identical errors. */
function errorOf({ status, httpStatus, errorCode, message, model, keyId, keyDisplay }: ShownCall): string {
  const what = message?.replaceAll(/\d+/g, '0');
  return JSON.stringify([status, httpStatus, errorCode, what, model, keyId ?? keyDisplay]);
}
