import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { toPastSlots } from '../reports/usage-calendar.js';
import type { CallConditions, UsageCall, UsageRequestFilter } from '../reports/usage-call.types.js';
import { FILTER_OF } from '../reports/usage-filter.js';
import { groupsOf, rankedGroups } from '../reports/usage-ranking.js';
import { UsageReading } from '../reports/usage-reading.js';
import type { UsageDimension } from '../reports/usage-report.types.js';
import { isConditional, meets } from './call-conditions.js';
import { CallSampleService } from './call-sample.service.js';
import { MAX_EXAMINED } from './usage-requests.service.js';

/** The newest calls that are counted for values without a roll-up. */
const SAMPLE = 2000;
const SHOWN = 50;
/** In dollars. */
const COSTS = [0.001, 0.01, 0.1, 1];
/** In ms. */
const DURATIONS = [1000, 5000, 30_000, 120_000];

export type Facet = UsageDimension | 'simulated' | 'stream' | 'cost' | 'duration';

interface Count {
  id: string;
  count: number;
}

export interface FacetCounts {
  counts: Count[];
  /** Set if only this many of the newest calls were counted. */
  newest: number | null;
}

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
    if (isConditional(asked.where)) return this.sampled(facet, asked, MAX_EXAMINED);
    return isDimension(facet) ? this.counted(facet, asked) : this.sampled(facet, asked, SAMPLE);
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

  private sums(groupBy: UsageDimension, filter: UsageRequestFilter): Promise<Count[]> {
    const span = toPastSlots(filter.from, filter.to, this.clock.date());
    const question = { ...filter, groupBy, cells: { starts: [span.from], end: span.to }, withRefused: true };
    return UsageReading.of(this.database, span, filter, async (reading) => {
      const groups =
        groupBy === 'key' || groupBy === 'user'
          ? (await rankedGroups(reading, question, 'requests', 0)).groups
          : await groupsOf(reading, question);
      return shown(
        groups.flatMap(({ id, sums }) => (id === null ? [] : [{ id, count: sums.requests + sums.refused }])),
      );
    });
  }

  private async sampled(facet: Facet, filter: UsageRequestFilter, most: number): Promise<FacetCounts> {
    const { calls, newest } = await this.samples.of(filter, most);
    const counts = new Map<string, number>();
    for (const id of calls.flatMap(VALUES_OF[facet])) counts.set(id, (counts.get(id) ?? 0) + 1);
    return { counts: shown(Array.from(counts, ([id, count]) => ({ id, count }))), newest };
  }
}

function shown(counts: readonly Count[]): Count[] {
  return counts.toSorted((a, b) => b.count - a.count).slice(0, SHOWN);
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

/** The values under which a call is counted. */
const VALUES_OF: Readonly<Record<Facet, (call: UsageCall) => string[]>> = {
  model: ({ model }) => [model],
  key: ({ keyId }) => [keyId],
  user: ({ userId }) => [userId],
  upstream: ({ upstream }) => (upstream === null ? [] : [upstream]),
  status: ({ status }) => [status],
  api: ({ api }) => [api],
  simulated: ({ simulated }) => [String(simulated)],
  stream: ({ stream }) => [String(stream)],
  cost: (call) => COSTS.filter((minCostUsd) => meets(call, { minCostUsd })).map(String),
  duration: (call) => DURATIONS.filter((minMs) => meets(call, { minMs })).map(String),
};
