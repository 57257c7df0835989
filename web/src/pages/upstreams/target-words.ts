import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import type { components } from '../../api/schema';
import { formatNumber, formatPercent } from '../../kit/numbers';
import { formatClock } from '../../kit/times';

export type Upstreams = components['schemas']['UpstreamsView'];
export type Upstream = components['schemas']['UpstreamView'];
export type CatalogModel = components['schemas']['CatalogModelView'];
export type UpstreamTestResult = components['schemas']['UpstreamTestView'];
export type UpstreamCall = components['schemas']['UpstreamCallView'];

export const upstreamsQuery = queryOptions({
  queryKey: ['upstreams'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/upstreams', { signal })),
});

export async function testUpstream(name: string): Promise<UpstreamTestResult> {
  const result = await unwrap(api.POST('/api/upstreams/{name}/test', { params: { path: { name } } }));
  void queryClient.invalidateQueries({ queryKey: ['audit'] });
  return result;
}

type ProviderLimit = Upstream['limits'][number];

/** What a limit applies to: "gpt-6-luna · key 2", "All models". */
export function limitScope({ key, model }: Pick<ProviderLimit, 'key' | 'model'>): string {
  return [model ?? 'All models', key && `key ${key}`].filter(Boolean).join(' · ');
}

/** "67% of 60 requests per minute", for each limit. */
export function limitTexts(limit: ProviderLimit): string[] {
  const rows = [
    [limit.requests, limit.requestsPerMinute, 'requests per minute'],
    [limit.tokens, limit.tokensPerMinute, 'tokens per minute'],
    [limit.calls, limit.concurrentCalls, 'concurrent requests'],
  ] as const;
  return [
    ...rows.flatMap(([used, most, what]) =>
      used === null || most === null ? [] : [`${formatPercent(used)} of ${formatNumber(most)} ${what}`],
    ),
    ...(limit.waiting > 0 ? [`${formatNumber(limit.waiting)} waiting`] : []),
  ];
}

/** "401 upstream_error: Incorrect API key provided." */
export function faultText({ status, code, message }: Upstream['faults'][number]): string {
  const what = status === null ? code : `${status} ${code}`;
  return message ? `${what}: ${message}` : what;
}

export type Target = CatalogModel['targets'][number];

const REASONS = {
  failing: 'it failed too often',
  limited: 'it asked to wait',
  refused: 'it refuses the credential',
  credential: 'the gateway has no valid credential',
};

type Aside = Pick<Target, 'asideReason' | 'asideUntil' | 'asideBy'>;

/**
 * "set aside until 12:03:20: it asked to wait", and which other process found that out; null if it is not set aside.
 */
export function asideText({ asideReason, asideUntil, asideBy }: Aside): string | null {
  if (!asideReason || !asideUntil) return null;
  const by = asideBy ? ` (seen by process ${asideBy.process} on ${asideBy.host})` : '';
  return `set aside until ${formatClock(new Date(asideUntil), 'local')}: ${REASONS[asideReason]}${by}`;
}

/** With several keys, each that is set aside while others are not: "key 2 set aside until 12:03:20: …". */
export function keysAsideText({ asideUntil, keys }: Target): string[] {
  if (asideUntil) return [];
  return keys.flatMap((key) => asideText(key)?.replace(/^/, `key ${key.name} `) ?? []);
}

/** "weight 3, 75 %": its share of the calls of its priority; null if it is the only one there. */
export function shareText(target: Target, targets: readonly Target[]): string | null {
  const company = targets.filter(({ priority }) => priority === target.priority);
  if (company.length < 2) return null;
  const available = company.filter(({ live, asideReason }) => live && !asideReason);
  const whole = available.reduce((sum, { weight }) => sum + weight, 0);
  const share = available.includes(target) ? target.weight / whole : 0;
  return `weight ${target.weight}, ${formatPercent(share)}`;
}

/** The models of an upstream that are set aside, each once, the one that returns last first. */
export function asideOf(upstream: string, models: readonly CatalogModel[]): Target[] {
  const aside = models.flatMap(({ targets }) =>
    targets.filter((target) => target.upstream === upstream && target.asideUntil),
  );
  const byModel = new Map(aside.map((target) => [target.model, target]));
  return [...byModel.values()].sort((a, b) => String(b.asideUntil).localeCompare(String(a.asideUntil)));
}
