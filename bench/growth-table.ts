import type { CallFigures } from './growth-calls.ts';
import type { GrowthOptions } from './growth-options.ts';
import type { TrialFigures } from './growth-trial.ts';

export interface Answered {
  title: string;
  ms: number;
  kilobytes: number;
}

/** One gateway with its database. */
export interface GrowthSide {
  calls: CallFigures;
  answers: Answered[];
  residentMb: number;
  ledgerMb: number;
}

export interface GrowthResult {
  options: GrowthOptions;
  seedSeconds: number;
  /** Until the calls were rolled up. */
  rollUpSeconds: number;
  full: GrowthSide;
  empty: GrowthSide;
  trial: TrialFigures | null;
}

const MAX_ANSWER_MS = 300;
const MAX_ANSWER_KB = 1024;
const MAX_STATEMENT_RATIO = 1.5;
const MAX_WAL_BYTES = 2048;

type Row = [label: string, full: string, empty: string, wanted: string, verdict: string];

export function isWithin({ full, empty, trial }: GrowthResult): boolean {
  const isAnswered = (answers: Record<string, number>) => Object.keys(answers).every((status) => status === '200');
  return (
    rowsOf(full, empty).every(([, , , , verdict]) => verdict !== 'OVER') &&
    (trial === null || (isAnswered(trial.calls) && isAnswered(trial.reports)))
  );
}

/** Plain text. */
export function toGrowthTable(result: GrowthResult): string {
  const { options, seedSeconds, rollUpSeconds, full, empty } = result;
  const rows: Row[] = [['', 'full', 'empty', 'wanted', ''], ...rowsOf(full, empty)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return [
    `${options.calls} calls of 90 days by ${options.activeKeys} of ${options.keys} keys of ${options.users} users, ` +
      `${options.auditEntries} audit entries, ${options.idempotentCalls} stored answers: ${full.ledgerMb} MB of ledger, ` +
      `seeded in ${seedSeconds} s, rolled up after ${rollUpSeconds} s more.`,
    ...rows.map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    ),
    ...(result.trial ? [trialLine(result.trial)] : []),
  ].join('\n');
}

function trialLine({ minutes, calls, callP50Ms, callP99Ms, reports, reportP50Ms, reportMaxMs }: TrialFigures): string {
  const counts = (answers: Record<string, number>) =>
    Object.entries(answers)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
  return (
    `Two gateways for ${minutes} minutes: calls ${counts(calls)} (p50 ${callP50Ms.toFixed(1)} ms, p99 ${callP99Ms.toFixed(1)} ms), ` +
    `reports and lists ${counts(reports)} (p50 ${reportP50Ms.toFixed(0)} ms, slowest ${reportMaxMs.toFixed(0)} ms).`
  );
}

function bytes(count: number | null): string {
  return count === null ? '' : count.toFixed(0);
}

function rowsOf(full: GrowthSide, empty: GrowthSide): Row[] {
  const told = (label: string, one: number, other: number, digits: number): Row => [
    label,
    one.toFixed(digits),
    other.toFixed(digits),
    '',
    '',
  ];
  const wanted = (row: Row, text: string, isKept: boolean): Row => [
    row[0],
    row[1],
    row[2],
    text,
    isKept ? 'ok' : 'OVER',
  ];
  const statement = (label: string, pick: (calls: CallFigures) => number) =>
    wanted(
      told(label, pick(full.calls), pick(empty.calls), 0),
      `≤ ${MAX_STATEMENT_RATIO} ×`,
      pick(full.calls) <= MAX_STATEMENT_RATIO * pick(empty.calls),
    );
  return [
    told('a call, p50 ms', full.calls.p50Ms, empty.calls.p50Ms, 2),
    told('a call, p99 ms', full.calls.p99Ms, empty.calls.p99Ms, 2),
    told('calls/s of 8 at a time', full.calls.callsPerSecond, empty.calls.callsPerSecond, 0),
    statement('opening a row, µs', ({ openUs }) => openUs),
    statement('closing a row, µs', ({ closeUs }) => closeUs),
    told('WAL a call, bytes', full.calls.walBytes, empty.calls.walBytes, 0),
    wanted(
      ['of it the rows of the ledger', bytes(full.calls.rowWalBytes), bytes(empty.calls.rowWalBytes), '', ''],
      `≤ ${MAX_WAL_BYTES}`,
      (full.calls.rowWalBytes ?? 0) <= MAX_WAL_BYTES,
    ),
    told('memory of the gateway afterwards, MB', full.residentMb, empty.residentMb, 0),
    ...full.answers.map(({ title, ms, kilobytes }, place) =>
      wanted(
        [`${title}, ms`, `${ms.toFixed(0)} (${kilobytes} kB)`, empty.answers[place]?.ms.toFixed(0) ?? '', '', ''],
        `≤ ${MAX_ANSWER_MS}`,
        ms <= MAX_ANSWER_MS && kilobytes <= MAX_ANSWER_KB,
      ),
    ),
  ];
}
