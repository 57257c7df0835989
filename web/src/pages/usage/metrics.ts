import type { components } from '../../api/schema';

export type Totals = components['schemas']['UsageTotalsView'];

export const METRICS = [
  'cost',
  'requests',
  'input',
  'output',
  'cached',
  'reasoning',
  'errors',
  'p50',
  'p95',
  'first50',
  'first95',
] as const;
export type MetricId = (typeof METRICS)[number];

export interface Metric {
  id: MetricId;
  label: string;
  /** Amounts add up over groups and time; of latencies there is one for each. */
  kind: 'amount' | 'latency';
  unit: 'usd' | 'count' | 'ms';
  /** Null when there is nothing to measure. */
  of: (totals: Totals) => number | null;
}

const BY_ID: Record<MetricId, Omit<Metric, 'id'>> = {
  cost: { label: 'Cost', kind: 'amount', unit: 'usd', of: ({ costUsd }) => costUsd },
  requests: { label: 'Requests', kind: 'amount', unit: 'count', of: ({ requests }) => requests },
  input: { label: 'Input tokens', kind: 'amount', unit: 'count', of: ({ inputTokens }) => inputTokens },
  output: { label: 'Output tokens', kind: 'amount', unit: 'count', of: ({ outputTokens }) => outputTokens },
  cached: { label: 'Cached input tokens', kind: 'amount', unit: 'count', of: ({ cachedTokens }) => cachedTokens },
  reasoning: { label: 'Reasoning tokens', kind: 'amount', unit: 'count', of: ({ reasoningTokens }) => reasoningTokens },
  errors: { label: 'Errors', kind: 'amount', unit: 'count', of: ({ errors }) => errors },
  p50: { label: 'Latency, median', kind: 'latency', unit: 'ms', of: ({ p50TotalMs }) => p50TotalMs },
  p95: { label: 'Latency, 95th percentile', kind: 'latency', unit: 'ms', of: ({ p95TotalMs }) => p95TotalMs },
  first50: { label: 'First token, median', kind: 'latency', unit: 'ms', of: ({ p50FirstTokenMs }) => p50FirstTokenMs },
  first95: {
    label: 'First token, 95th percentile',
    kind: 'latency',
    unit: 'ms',
    of: ({ p95FirstTokenMs }) => p95FirstTokenMs,
  },
};

export function metricOf(id: MetricId): Metric {
  return { id, ...BY_ID[id] };
}

/** Errors for each request that has ended; null without one. */
export function errorRateOf({ requests, running, errors }: Totals): number | null {
  const ended = requests - running;
  return ended > 0 ? errors / ended : null;
}
