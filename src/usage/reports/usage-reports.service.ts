import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { type Cells, startOfSlot } from '../rollups/usage-slots.js';
import { toPastSlots, UsageCalendar } from './usage-calendar.js';
import { type Sums, type SumsQuestion, UsageReading } from './usage-reading.js';
import type { UsagePoint, UsageQuestion, UsageRanking, UsageReport, UsageSums } from './usage-report.types.js';
import { UsageTally } from './usage-tally.js';

/** So many groups at most, those that rank first, have a series of their own; the others share one. */
const MOST_WITH_SERIES = 10;
/** So many sums all series have together, so that a report of any length has a bounded size. */
const MOST_SUMS = 1800;

const POINTS_AT_ONCE = 24;

type Group = string | null;

/** What was used, at what cost and how fast: over a stretch of time, by group, and by hour or day. */
@Injectable()
export class UsageReportsService {
  constructor(
    private readonly database: ReportReaderService,
    private readonly clock: ClockService,
  ) {}

  /** The stretch of time is widened to whole quarter-hours, and does not go on after now. */
  report({
    from,
    to,
    zone,
    granularity,
    groupBy,
    rankBy = 'requests',
    compare,
    ...filter
  }: UsageQuestion): Promise<UsageReport> {
    const span = toPastSlots(from, to, this.clock.date());
    const length = span.to - span.from;
    const previous = { starts: [span.from - length], end: span.from };
    const cells = { starts: new UsageCalendar(zone).starts(granularity, span.from, span.to), end: span.to };
    const read = { from: compare ? span.from - length : span.from, to: span.to };
    return UsageReading.of(this.database, read, filter, async (reading) => {
      const whole = { starts: [span.from], end: span.to };
      const groups = byGroup(await reading.sums({ ...filter, groupBy, cells: whole }));
      const before = compare
        ? totalOf(byGroup(await reading.sums({ ...filter, groupBy: null, cells: previous })))
        : null;
      const ranked = rankedBy(rankBy, groups);
      const groupsWithSeries = withSeries(ranked.length, cells.starts.length);
      return {
        from: startOfSlot(span.from),
        to: startOfSlot(span.to),
        upToDateAt: reading.at,
        replicaLagMs: reading.replicaLagMs,
        totals: totalOf(groups).sums(),
        previous: before?.sums() ?? null,
        groups: ranked,
        groupsWithSeries,
        series: await seriesOf(
          reading,
          { ...filter, groupBy, cells },
          ranked.map(({ id }) => id),
          groupsWithSeries,
        ),
      };
    });
  }

  /** The series of all groups, without a limit: some quarter-hours, hours or days at a time, in order. */
  async *points({
    from,
    to,
    zone,
    granularity,
    groupBy,
    rankBy: _,
    compare: __,
    ...filter
  }: UsageQuestion): AsyncGenerator<UsagePoint[]> {
    const span = toPastSlots(from, to, this.clock.date());
    const starts = new UsageCalendar(zone).starts(granularity, span.from, span.to);
    for (let first = 0; first < starts.length; first += POINTS_AT_ONCE) {
      const cells = {
        starts: starts.slice(first, first + POINTS_AT_ONCE),
        end: starts[first + POINTS_AT_ONCE] ?? span.to,
      };
      const read = { from: cells.starts[0] ?? span.from, to: cells.end };
      const rows = await UsageReading.of(this.database, read, filter, (reading) =>
        reading.sums({ ...filter, groupBy, cells }),
      );
      const points = byCell(rows);
      yield cells.starts.flatMap((start, cell) =>
        [...(points.get(cell) ?? [])].map(([id, tally]) => ({ start: startOfSlot(start), id, sums: tally.sums() })),
      );
    }
  }
}

/** The most first, and of equal ones that with more calls; a group that has nothing to measure comes last. */
function rankedBy(ranking: UsageRanking, groups: ReadonlyMap<Group, UsageTally>): UsageReport['groups'] {
  const value = (sums: UsageSums) =>
    ranking === 'tokens' ? sums.inputTokens + sums.outputTokens : Number(sums[ranking] ?? -1);
  return [...groups]
    .map(([id, tally]) => ({ id, sums: tally.sums() }))
    .sort((a, b) => value(b.sums) - value(a.sums) || b.sums.requests - a.sums.requests);
}

/** How many groups have a series of their own: the longer it is, the fewer. */
function withSeries(groups: number, points: number): number {
  if (groups <= 1) return groups;
  return Math.min(groups, MOST_WITH_SERIES, Math.max(0, Math.floor(MOST_SUMS / points) - 1));
}

/** One row for each cell; the few largest groups are read by themselves, the rest is what they lack of everything. */
async function seriesOf(
  reading: UsageReading,
  question: SumsQuestion & { cells: Cells },
  ranked: readonly Group[],
  groupsWithSeries: number,
): Promise<UsageReport['series']> {
  const top = ranked.slice(0, groupsWithSeries);
  const hasRest = ranked.length > top.length;
  const ofTop = byCell(await reading.sums({ ...question, ...(hasRest && { only: top }) }));
  const ofAll = hasRest ? byCell(await reading.sums({ ...question, groupBy: null })) : null;
  return question.cells.starts.map((start, cell) => {
    const groups = ofTop.get(cell) ?? new Map<Group, UsageTally>();
    return {
      start: startOfSlot(start),
      groups: [...groups].map(([id, tally]) => ({ id, sums: tally.sums() })),
      rest: restOf(ofAll?.get(cell)?.get(null), groups),
    };
  });
}

function restOf(all: UsageTally | undefined, groups: ReadonlyMap<Group, UsageTally>): UsageSums | null {
  if (!all) return null;
  const rest = new UsageTally();
  rest.add(all);
  rest.add(totalOf(groups), -1);
  return rest.isEmpty ? null : rest.sums();
}

function byCell(rows: readonly Sums[]): Map<number, Map<Group, UsageTally>> {
  return new Map([...Map.groupBy(rows, ({ cell }) => cell)].map(([cell, sums]) => [cell, byGroup(sums)]));
}

/** Without groups whose calls have all become something else, as interrupted ones that were settled after all. */
function byGroup(rows: readonly Sums[]): Map<Group, UsageTally> {
  const groups = new Map<Group, UsageTally>();
  for (const row of rows) {
    const tally = groups.get(row.name) ?? new UsageTally();
    groups.set(row.name, tally);
    tally.addRow(row, row.sign);
  }
  return new Map([...groups].filter(([, tally]) => !tally.isEmpty));
}

function totalOf(groups: ReadonlyMap<Group, UsageTally>): UsageTally {
  const total = new UsageTally();
  for (const tally of groups.values()) total.add(tally);
  return total;
}
