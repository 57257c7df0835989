import type { components, operations } from '../../api/schema';
import { errorRateOf, formatNumber } from '../../kit/numbers';

export type Totals = components['schemas']['UsageTotalsView'];
type Ranking = NonNullable<operations['Usage_report']['parameters']['query']['rankBy']>;

export const METRICS = [
  'cost',
  'requests',
  'tokens',
  'input',
  'output',
  'cached',
  'reasoning',
  'errors',
  'refused',
  'p50',
  'p95',
  'first50',
  'first95',
] as const;
export type MetricId = (typeof METRICS)[number];

export interface Metric {
  id: MetricId;
  label: string;
  /** Amounts add up over groups and time; each latency is separate. */
  kind: 'amount' | 'latency';
  unit: 'usd' | 'count' | 'ms';
  /** The API's ranking of groups. */
  rankBy: Ranking;
  /** Null if there is nothing to measure. */
  of: (totals: Totals) => number | null;
}

const BY_ID: Record<MetricId, Omit<Metric, 'id'>> = {
  cost: { label: 'Cost', kind: 'amount', unit: 'usd', rankBy: 'costNanodollars', of: ({ costUsd }) => costUsd },
  requests: { label: 'Requests', kind: 'amount', unit: 'count', rankBy: 'requests', of: ({ requests }) => requests },
  tokens: { label: 'Tokens', kind: 'amount', unit: 'count', rankBy: 'tokens', of: tokensOf },
  input: {
    label: 'Input tokens',
    kind: 'amount',
    unit: 'count',
    rankBy: 'inputTokens',
    of: ({ inputTokens }) => inputTokens,
  },
  output: {
    label: 'Output tokens',
    kind: 'amount',
    unit: 'count',
    rankBy: 'outputTokens',
    of: ({ outputTokens }) => outputTokens,
  },
  cached: {
    label: 'Cached input tokens',
    kind: 'amount',
    unit: 'count',
    rankBy: 'cachedTokens',
    of: ({ cachedTokens }) => cachedTokens,
  },
  reasoning: {
    label: 'Reasoning tokens',
    kind: 'amount',
    unit: 'count',
    rankBy: 'reasoningTokens',
    of: ({ reasoningTokens }) => reasoningTokens,
  },
  errors: { label: 'Failed requests', kind: 'amount', unit: 'count', rankBy: 'errors', of: ({ errors }) => errors },
  refused: {
    label: 'Refused requests',
    kind: 'amount',
    unit: 'count',
    rankBy: 'refused',
    of: ({ refused }) => refused,
  },
  p50: {
    label: 'Latency, median',
    kind: 'latency',
    unit: 'ms',
    rankBy: 'p50TotalMs',
    of: ({ p50TotalMs }) => p50TotalMs,
  },
  p95: {
    label: 'Latency, 95th percentile',
    kind: 'latency',
    unit: 'ms',
    rankBy: 'p95TotalMs',
    of: ({ p95TotalMs }) => p95TotalMs,
  },
  first50: {
    label: 'First token, median',
    kind: 'latency',
    unit: 'ms',
    rankBy: 'p50FirstTokenMs',
    of: ({ p50FirstTokenMs }) => p50FirstTokenMs,
  },
  first95: {
    label: 'First token, 95th percentile',
    kind: 'latency',
    unit: 'ms',
    rankBy: 'p95FirstTokenMs',
    of: ({ p95FirstTokenMs }) => p95FirstTokenMs,
  },
};

export function metricOf(id: MetricId): Metric {
  return { id, ...BY_ID[id] };
}

/** By status, refused requests are a group among the others; elsewhere they are not among the requests. */
export function metricBy(id: MetricId, groupBy: string): Metric {
  if (id !== 'requests' || groupBy !== 'status') return metricOf(id);
  return { ...metricOf(id), of: ({ requests, refused }) => requests + refused };
}

/** Metrics of one kind, represented by the first of them. */
export interface Family {
  label: string;
  metrics: readonly [MetricId, ...MetricId[]];
  unit: Metric['unit'] | 'share';
  of: (totals: Totals) => number | null;
  /** Whether more is bad or neutral. */
  more: 'bad' | 'neutral';
  note?: (totals: Totals) => string | null;
}

export const FAMILIES: readonly Family[] = [
  { label: 'Cost', metrics: ['cost'], unit: 'usd', of: BY_ID.cost.of, more: 'neutral' },
  {
    label: 'Requests',
    metrics: ['requests'],
    unit: 'count',
    of: BY_ID.requests.of,
    more: 'neutral',
    note: ({ running, simulated }) =>
      [...(running > 0 ? [`${formatNumber(running)} running`] : []), ...simulatedNote(simulated)].join(' · ') || null,
  },
  {
    label: 'Tokens',
    metrics: ['tokens', 'input', 'output', 'cached', 'reasoning'],
    unit: 'count',
    of: tokensOf,
    more: 'neutral',
  },
  {
    label: 'Error rate',
    metrics: ['errors', 'refused'],
    unit: 'share',
    of: errorRateOf,
    more: 'bad',
    note: ({ refused }) => (refused > 0 ? `${formatNumber(refused)} refused` : null),
  },
  { label: 'Latency, p95', metrics: ['p95', 'p50'], unit: 'ms', of: BY_ID.p95.of, more: 'bad', note: timedNote },
  { label: 'First token, p95', metrics: ['first95', 'first50'], unit: 'ms', of: BY_ID.first95.of, more: 'bad' },
];

function simulatedNote(simulated: number): string[] {
  return simulated > 0 ? [`${formatNumber(simulated)} simulated`] : [];
}

/** What percentiles are of: neither failed nor simulated requests. */
export function timedNote({ timed }: Totals): string | null {
  return timed > 0 ? `of ${formatNumber(timed)} answered` : null;
}

/** Tokens sent to an upstream and received from it. */
function tokensOf({ inputTokens, outputTokens }: Totals): number {
  return inputTokens + outputTokens;
}
