import { formatNumber, formatPercent } from '../../kit/numbers';
import type { Upstream } from './upstreams-api';

type ProviderLimit = Upstream['limits'][number];

/** What a limit applies to: "gpt-5.4 · key 2", "All models". */
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
