import { Injectable } from '@nestjs/common';
import { ClockService } from '../database/clock.service.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { ErrorCausesService } from './error-causes.service.js';
import { toPastSlots, UsageCalendar } from './reports/usage-calendar.js';
import { FILTER_OF } from './reports/usage-filter.js';
import { groupsOf, rankedGroups } from './reports/usage-ranking.js';
import { UsageReading } from './reports/usage-reading.js';
import { byCell, type UsageTally } from './reports/usage-tally.js';
import { type Cells, cellOf, type SlotSpan, slotOf, startOfSlot } from './rollups/usage-pieces.js';
import type { CallConditions, CallPosition, UsageCall, UsageDimension, UsageRequestFilter } from './usage.types.js';
import { UsageCallsService } from './usage-calls.service.js';
import { isConditional, MAX_EXAMINED, meets } from './usage-requests.service.js';

const BATCH = 1000;

export interface CallSample {
  /** The calls that meet the conditions. */
  calls: UsageCall[];
  /** The number of examined calls if there are more; null if all were examined. */
  newest: number | null;
}

/** The newest calls, for counts that no roll-up has. */
@Injectable()
export class CallSampleService {
  constructor(private readonly calls: UsageCallsService) {}

  async of({ where = {}, ...filter }: UsageRequestFilter, most: number): Promise<CallSample> {
    const found: UsageCall[] = [];
    let behind: CallPosition | null = null;
    for (let examined = 0; examined < most; examined += BATCH) {
      const { calls } = await this.calls.newest(filter, behind, BATCH);
      found.push(...calls.filter((call) => meets(call, where)));
      const last = calls.at(-1);
      if (last === undefined || calls.length < BATCH) return { calls: found, newest: null };
      behind = [last.position, last.id];
    }
    return { calls: found, newest: most };
  }
}

/** The newest calls that are counted for values without a roll-up. */
const SAMPLE = 2000;
const SHOWN = 50;
/** In dollars. */
const COSTS = [0.001, 0.01, 0.1, 1];
/** In ms. */
const DURATIONS = [1000, 5000, 30_000, 120_000];

export type Facet = UsageDimension | 'code' | 'httpStatus' | 'simulated' | 'stream' | 'cost' | 'duration';

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
  code: 'codes',
  httpStatus: 'httpStatuses',
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
    private readonly causes: ErrorCausesService,
  ) {}

  async of(facet: Facet, filter: UsageRequestFilter): Promise<FacetCounts> {
    const requested = without(facet, filter);
    if (isConditional(requested.where)) return this.sampled(facet, requested, MAX_EXAMINED);
    if (facet === 'code' || facet === 'httpStatus') return this.ofErrors(facet, requested);
    return isDimension(facet) ? this.counted(facet, requested) : this.sampled(facet, requested, SAMPLE);
  }

  /** The requests of these users that match the filter. */
  async ofUsers({ where, ...filter }: UsageRequestFilter, users: readonly string[]): Promise<FacetCounts> {
    const within = filter.users ? users.filter((id) => filter.users?.includes(id)) : users;
    if (within.length === 0) return { counts: [], newest: null };
    const requested = { ...filter, users: within };
    if (isConditional(where)) return this.sampled('user', { ...requested, where }, MAX_EXAMINED);
    return { counts: await this.sums('user', requested), newest: null };
  }

  /** Of all errors in the range. A failed request counts under the status of its provider. */
  private async ofErrors(facet: 'code' | 'httpStatus', filter: UsageRequestFilter): Promise<FacetCounts> {
    const { causes } = await this.causes.of(filter);
    const counts = new Map<string, number>();
    for (const { code, status, count } of causes) {
      const id = facet === 'code' ? code : status && String(status);
      if (id) counts.set(id, (counts.get(id) ?? 0) + count);
    }
    return { counts: shown(Array.from(counts, ([id, count]) => ({ id, count }))), newest: null };
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
  code: ({ errorCode }) => (errorCode === null ? [] : [errorCode]),
  httpStatus: ({ httpStatus, upstreamStatus }) => {
    const status = upstreamStatus ?? httpStatus;
    return status ? [String(status)] : [];
  },
  simulated: ({ simulated }) => [String(simulated)],
  stream: ({ stream }) => [String(stream)],
  cost: (call) => COSTS.filter((minCostUsd) => meets(call, { minCostUsd })).map(String),
  duration: (call) => DURATIONS.filter((minMs) => meets(call, { minMs })).map(String),
};

const HOUR_MS = 3_600_000;
/** Longer spans have a bar for each day. */
const BY_HOUR_MS = 73 * HOUR_MS;

export interface RequestBar {
  start: Date;
  succeeded: number;
  /** Failed or interrupted. */
  failed: number;
  refused: number;
  /** Running or aborted. */
  others: number;
}

export interface RequestHistogram {
  from: Date;
  to: Date;
  step: 'hour' | 'day';
  bars: RequestBar[];
  /** Set if only this many of the newest calls were counted. */
  newest: number | null;
}

type Counts = Omit<RequestBar, 'start'>;

const NONE: Counts = { succeeded: 0, failed: 0, refused: 0, others: 0 };

/** Requests over time by outcome: from the roll-ups, or, with conditions on single calls, from the newest calls. */
@Injectable()
export class RequestHistogramService {
  constructor(
    private readonly database: ReportReaderService,
    private readonly clock: ClockService,
    private readonly samples: CallSampleService,
  ) {}

  async of(filter: UsageRequestFilter, zone: string): Promise<RequestHistogram> {
    const span = toPastSlots(filter.from, filter.to, this.clock.date());
    const step = filter.to.getTime() - filter.from.getTime() <= BY_HOUR_MS ? 'hour' : 'day';
    const cells = { starts: new UsageCalendar(zone).starts(step, span.from, span.to), end: span.to };
    const { counts, newest } = isConditional(filter.where)
      ? await this.sampled(filter, cells)
      : { counts: await this.counted(filter, cells, span), newest: null };
    const bars = cells.starts.map((start, cell) => ({ start: startOfSlot(start), ...(counts.get(cell) ?? NONE) }));
    return { from: startOfSlot(span.from), to: startOfSlot(span.to), step, bars, newest };
  }

  private counted(filter: UsageRequestFilter, cells: Cells, span: SlotSpan): Promise<Map<number, Counts>> {
    return UsageReading.of(this.database, span, filter, async (reading) => {
      const sums = byCell(await reading.sums({ ...filter, groupBy: 'status', cells, withRefused: true }));
      return new Map([...sums].map(([cell, statuses]) => [cell, toCounts(statuses)]));
    });
  }

  private async sampled(filter: UsageRequestFilter, cells: Cells) {
    const { calls, newest } = await this.samples.of(filter, MAX_EXAMINED);
    const counts = new Map<number, Counts>();
    for (const call of calls) {
      const cell = cellOf(slotOf(call.startedAt), cells);
      const before = counts.get(cell) ?? NONE;
      const outcome = outcomeOf(call.status);
      counts.set(cell, { ...before, [outcome]: before[outcome] + 1 });
    }
    return { counts, newest };
  }
}

function toCounts(statuses: ReadonlyMap<string | null, UsageTally>): Counts {
  const counts = { ...NONE };
  for (const [status, tally] of statuses) {
    const { requests, refused } = tally.sums();
    counts[outcomeOf(status)] += requests;
    counts.refused += refused;
  }
  return counts;
}

function outcomeOf(status: string | null): keyof Counts {
  if (status === 'settled') return 'succeeded';
  return status === 'failed' || status === 'interrupted' ? 'failed' : 'others';
}
