import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { toPastSlots } from '../reports/usage-calendar.js';
import type { CallConditions, UsageCall, UsageRequestFilter } from '../reports/usage-call.types.js';
import { rankedGroups } from '../reports/usage-ranking.js';
import { UsageReading } from '../reports/usage-reading.js';
import type { UsageDimension, UsageFilter } from '../reports/usage-report.types.js';
import { byGroup } from '../reports/usage-tallies.js';
import { isConditional } from './call-conditions.js';
import { CallSampleService } from './call-sample.service.js';
import { MAX_EXAMINED } from './usage-requests.service.js';

/** The newest calls that are counted for values without a roll-up. */
const SAMPLE = 2000;
const SHOWN = 50;
const NANODOLLARS = 1e9;
/** In dollars. */
const COSTS = [0.001, 0.01, 0.1, 1];
/** In ms. */
const DURATIONS = [1000, 5000, 30_000, 120_000];

export type Facet = UsageDimension | 'simulated' | 'stream' | 'cost' | 'duration';

export interface FacetCounts {
  counts: { id: string; count: number }[];
  /** Set if only this many of the newest calls were counted. */
  newest: number | null;
}

const FILTER_OF: Record<UsageDimension, keyof UsageFilter> = {
  model: 'models',
  key: 'keys',
  user: 'users',
  upstream: 'upstreams',
  status: 'statuses',
  api: 'apis',
};

const CONDITION_OF: Partial<Record<Facet, keyof CallConditions>> = {
  simulated: 'simulated',
  stream: 'stream',
  cost: 'minCostUsd',
  duration: 'minMs',
};

/** For each value of a filter: the number of requests that match all other filters. */
@Injectable()
export class RequestFacetsService {
  constructor(
    private readonly database: ReportReaderService,
    private readonly clock: ClockService,
    private readonly samples: CallSampleService,
  ) {}

  async of(facet: Facet, filter: UsageRequestFilter): Promise<FacetCounts> {
    const asked = without(facet, filter);
    if (!isDimension(facet)) return this.sampled(facet, asked, isConditional(asked.where) ? MAX_EXAMINED : SAMPLE);
    return isConditional(asked.where) ? this.sampled(facet, asked, MAX_EXAMINED) : this.counted(facet, asked);
  }

  /** The requests of these users that match the filter. */
  async ofUsers({ where, ...filter }: UsageRequestFilter, users: readonly string[]): Promise<FacetCounts> {
    const within = filter.users ? users.filter((id) => filter.users?.includes(id)) : users;
    if (within.length === 0) return { counts: [], newest: null };
    const asked = { ...filter, users: within };
    if (isConditional(where)) return this.sampled('user', { ...asked, where }, MAX_EXAMINED);
    return { counts: await this.sums('user', asked), newest: null };
  }

  private async counted(facet: UsageDimension, filter: UsageRequestFilter): Promise<FacetCounts> {
    const [counts, unauthorized] = await Promise.all([
      this.sums(facet, filter),
      facet === 'status' ? this.sums('status', { ...filter, statuses: ['unauthorized'] }) : [],
    ]);
    return { counts: [...counts, ...unauthorized.map(({ count }) => ({ id: 'unauthorized', count }))], newest: null };
  }

  private sums(groupBy: UsageDimension, { from, to, where: _, ...filter }: UsageRequestFilter) {
    const span = toPastSlots(from, to, this.clock.date());
    const question = { ...filter, groupBy, cells: { starts: [span.from], end: span.to }, withRefused: true };
    return UsageReading.of(this.database, span, filter, async (reading) => {
      const groups =
        groupBy === 'key' || groupBy === 'user'
          ? (await rankedGroups(reading, question, 'requests', 0)).groups
          : [...byGroup(await reading.sums(question))].map(([id, tally]) => ({ id, sums: tally.sums() }));
      return groups
        .flatMap(({ id, sums }) => (id === null ? [] : [{ id, count: sums.requests + sums.refused }]))
        .sort((a, b) => b.count - a.count)
        .slice(0, SHOWN);
    });
  }

  private async sampled(facet: Facet, filter: UsageRequestFilter, most: number): Promise<FacetCounts> {
    const { calls, newest } = await this.samples.of(filter, most);
    const counts = new Map<string, number>();
    for (const id of calls.flatMap((call) => valuesOf(facet, call))) counts.set(id, (counts.get(id) ?? 0) + 1);
    const sorted = [...counts].map(([id, count]) => ({ id, count })).sort((a, b) => b.count - a.count);
    return { counts: sorted.slice(0, SHOWN), newest };
  }
}

function isDimension(facet: Facet): facet is UsageDimension {
  return facet in FILTER_OF;
}

/** The filter without this facet, except for users, so that members see no requests of others. */
function without(facet: Facet, filter: UsageRequestFilter): UsageRequestFilter {
  if (facet === 'user') return filter;
  if (isDimension(facet)) return { ...filter, [FILTER_OF[facet]]: [] };
  const condition = CONDITION_OF[facet];
  return condition === undefined ? filter : { ...filter, where: { ...filter.where, [condition]: undefined } };
}

function valuesOf(facet: Facet, call: UsageCall): string[] {
  switch (facet) {
    case 'model':
      return [call.model];
    case 'key':
      return [call.keyId];
    case 'user':
      return [call.userId];
    case 'upstream':
      return call.upstream === null ? [] : [call.upstream];
    case 'status':
      return [call.status];
    case 'api':
      return [call.api];
    case 'simulated':
      return [String(call.simulated)];
    case 'stream':
      return [String(call.stream)];
    case 'cost':
      return COSTS.filter((usd) => Number(call.costNanodollars) >= usd * NANODOLLARS).map(String);
    case 'duration':
      return DURATIONS.filter((ms) => (call.totalMs ?? -1) >= ms).map(String);
  }
}
