import { Injectable } from '@nestjs/common';
import { ClockService } from '../database/clock.service.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { crossedGroups } from './reports/crossed-groups.js';
import { toPastSlots, UsageCalendar } from './reports/usage-calendar.js';
import { groupedSums, type RankedGroup, rankedGroups } from './reports/usage-ranking.js';
import { UsageReading } from './reports/usage-reading.js';
import { byCell, type Group, type GroupedQuestion, tallyOf, totalOf, UsageTally } from './reports/usage-tally.js';
import { type Cells, startOfSlot } from './rollups/usage-pieces.js';
import type { UsageGrouping, UsageGroups, UsagePoint, UsageQuestion, UsageReport, UsageSums } from './usage.types.js';

/** Up to this many of the first groups have their own series; the others share one. */
const MAX_WITH_SERIES = 10;
/** Limits the size of all series together. */
const MAX_SUMS = 1800;
/**
 * Up to this many groups for each with a series, reading all takes less than reading those with a series and then
 * everything again.
 */
const READ_FOR_EACH = 2;

const POINTS_AT_ONCE = 24;

@Injectable()
export class UsageReportsService {
  constructor(
    private readonly database: ReportReaderService,
    private readonly clock: ClockService,
  ) {}

  /** Extends the range to whole quarter-hours, up to now. */
  report(question: UsageQuestion): Promise<UsageReport> {
    const { from, to, zone, granularity, groupBy, rankBy = 'requests', compare } = question;
    const filter = { ...question, withRefused: true };
    const span = toPastSlots(from, to, this.clock.date());
    const length = span.to - span.from;
    const previous = { starts: [span.from - length], end: span.from };
    const cells = { starts: new UsageCalendar(zone).starts(granularity, span.from, span.to), end: span.to };
    const read = { from: compare ? span.from - length : span.from, to: span.to };
    return UsageReading.of(this.database, read, filter, async (reading) => {
      const whole = { starts: [span.from], end: span.to };
      const sumOf = async (part: Cells) => tallyOf(await reading.sums({ ...filter, groupBy: null, cells: part }));
      const { groups, groupCount } = await rankedGroups(reading, { ...filter, groupBy, cells: whole }, rankBy, 0);
      const totals = await sumOf(whole);
      const groupsWithSeries = withSeries(groupCount, cells.starts.length);
      const ids = groups.slice(0, groupsWithSeries).map(({ id }) => id);
      return {
        from: startOfSlot(span.from),
        to: startOfSlot(span.to),
        upToDateAt: reading.at,
        replicaLagMs: reading.replicaLagMs,
        totals: totals.sums(),
        previous: compare ? (await sumOf(previous)).sums() : null,
        groupCount,
        groupsWithSeries,
        others: groupCount > groups.length ? restOf(totals, groups) : null,
        groups: groups.map(withoutTally),
        series: await seriesOf(reading, { ...filter, groupBy, cells }, ids, groupCount),
      };
    });
  }

  /** A page of the report's groups; page 0 is in the report itself. */
  groups(question: UsageQuestion, page: number): Promise<UsageGroups> {
    const { from, to, rankBy = 'requests' } = question;
    const span = toPastSlots(from, to, this.clock.date());
    const cells = { starts: [span.from], end: span.to };
    return UsageReading.of(this.database, span, question, async (reading) => {
      const requested = { ...question, cells, withRefused: true };
      const { groups, groupCount } = await rankedGroups(reading, requested, rankBy, page);
      return { groups: groups.map(withoutTally), groupCount };
    });
  }

  /** The series of all groups, by all of `groupings` at once, in order, a few units of time per batch. */
  async *points(question: UsageQuestion, groupings: readonly UsageGrouping[]): AsyncGenerator<UsagePoint[]> {
    const { from, to, zone, granularity } = question;
    const span = toPastSlots(from, to, this.clock.date());
    const starts = new UsageCalendar(zone).starts(granularity, span.from, span.to);
    for (let first = 0; first < starts.length; first += POINTS_AT_ONCE) {
      const cells = {
        starts: starts.slice(first, first + POINTS_AT_ONCE),
        end: starts[first + POINTS_AT_ONCE] ?? span.to,
      };
      const read = { from: cells.starts[0] ?? span.from, to: cells.end };
      const groups = await UsageReading.of(this.database, read, question, (reading) =>
        crossedGroups(reading, { ...question, cells, withRefused: true }, groupings),
      );
      const byStart = Map.groupBy(groups, ({ cell }) => cell);
      yield cells.starts.flatMap((start, cell) =>
        (byStart.get(cell) ?? []).map(({ ids, tally }) => ({ start: startOfSlot(start), ids, sums: tally.sums() })),
      );
    }
  }
}

/** Longer series allow fewer groups. */
function withSeries(groups: number, points: number): number {
  if (groups <= 1) return groups;
  return Math.min(groups, MAX_WITH_SERIES, Math.max(0, Math.floor(MAX_SUMS / points) - 1));
}

/** The largest groups, and the rest together. */
async function seriesOf(
  reading: UsageReading,
  question: GroupedQuestion,
  top: readonly Group[],
  groupCount: number,
): Promise<UsageReport['series']> {
  const { starts } = question.cells;
  const hasRest = groupCount > top.length;
  const readsAll = !hasRest || groupCount <= READ_FOR_EACH * top.length;
  const read = byCell(await groupedSums(reading, readsAll ? question : { ...question, only: top }));
  const whole = readsAll ? null : byCell(await reading.sums({ ...question, groupBy: null }));
  return starts.map((start, cell) => {
    const all = read.get(cell) ?? new Map<Group, UsageTally>();
    const groups = [...all].flatMap(([id, tally]) => (!hasRest || top.includes(id) ? [{ id, tally }] : []));
    const total = whole ? whole.get(cell)?.get(null) : totalOf(all.values());
    return {
      start: startOfSlot(start),
      groups: groups.map(({ id, tally }) => ({ id, sums: tally.sums() })),
      rest: hasRest && total ? restOf(total, groups) : null,
    };
  });
}

function restOf(all: UsageTally, groups: readonly { tally: UsageTally }[]): UsageSums | null {
  const rest = new UsageTally();
  rest.add(all);
  for (const { tally } of groups) rest.add(tally, -1);
  return rest.isEmpty ? null : rest.sums();
}

function withoutTally({ id, sums }: RankedGroup): UsageReport['groups'][number] {
  return { id, sums };
}
