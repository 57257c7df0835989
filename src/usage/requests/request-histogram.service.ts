import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { toPastSlots, UsageCalendar } from '../reports/usage-calendar.js';
import type { UsageRequestFilter } from '../reports/usage-call.types.js';
import { UsageReading } from '../reports/usage-reading.js';
import { byCell } from '../reports/usage-tallies.js';
import type { UsageTally } from '../reports/usage-tally.js';
import { type Cells, cellOf, type SlotSpan, slotOf, startOfSlot } from '../rollups/usage-slots.js';
import { isConditional } from './call-conditions.js';
import { CallSampleService } from './call-sample.service.js';
import { MAX_EXAMINED } from './usage-requests.service.js';

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
