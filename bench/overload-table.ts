import type { ArrivalFigures } from './arrivals.ts';
import type { LoadFigures } from './load.ts';

/** The promise covers twice the load; higher loads are only reported. */
const PROMISED_FACTOR = 2;
const WANTED_GOODPUT = 0.6;
const WANTED_P99 = 10;
const WANTED_RECOVERED = 0.8;

export interface Overload {
  /** Calls a second at full load: the median of its turns. */
  capacity: number;
  /** Of a call at full load. */
  p99Ms: number;
  runs: OverloadRun[];
}

export interface OverloadRun {
  /** Arrivals as a multiple of full load. */
  factor: number;
  seconds: number;
  arrivals: ArrivalFigures;
  /** Full load again, a second after the last arrival. */
  after: LoadFigures;
}

export interface OverloadRatios {
  goodput: number;
  p99: number;
  recovered: number;
  isKept: boolean;
}

/** Each as a multiple of full load. */
export function ratiosOf(
  { capacity, p99Ms }: Overload,
  { factor, seconds, arrivals, after }: OverloadRun,
): OverloadRatios {
  const goodput = arrivals.served / seconds / capacity;
  const p99 = arrivals.p99Ms / p99Ms;
  const recovered = after.requests / after.seconds / capacity;
  const isPromised = factor <= PROMISED_FACTOR;
  const isKept =
    arrivals.errors === 0 &&
    after.errors === 0 &&
    (!isPromised || (goodput >= WANTED_GOODPUT && p99 <= WANTED_P99 && recovered >= WANTED_RECOVERED));
  return { goodput, p99, recovered, isKept };
}

export function toOverloadTable(overload: Overload): string {
  const { capacity, p99Ms, runs } = overload;
  return [
    row('', 'calls/s', 'p99 ms', 'ratio', 'wanted', 'verdict'),
    row('full load', capacity.toFixed(0), p99Ms.toFixed(1)),
    ...runs.flatMap((run) => rowsOf(overload, run)),
  ].join('\n');
}

function rowsOf(overload: Overload, run: OverloadRun): string[] {
  const { factor, seconds, arrivals, after } = run;
  const { goodput, p99, recovered } = ratiosOf(overload, run);
  const isPromised = factor <= PROMISED_FACTOR;
  const judged = (ratio: number, isWithin: boolean, wanted: string): string[] => [
    ratio.toFixed(2),
    ...(isPromised ? [wanted, isWithin ? 'ok' : 'MISSED'] : []),
  ];
  const perSecond = (count: number): string => (count / seconds).toFixed(0);
  const wrong = arrivals.errors + after.errors;
  return [
    row(`${factor} × for ${seconds} s`, perSecond(arrivals.arrived)),
    row(
      '  served',
      perSecond(arrivals.served),
      '',
      ...judged(goodput, goodput >= WANTED_GOODPUT, `≥ ${WANTED_GOODPUT}`),
    ),
    row('  p99 of those served', '', arrivals.p99Ms.toFixed(1), ...judged(p99, p99 <= WANTED_P99, `≤ ${WANTED_P99}`)),
    row('  turned away', perSecond(arrivals.shed)),
    ...(arrivals.unsent > 0 ? [row('  not sent: too many were waiting', perSecond(arrivals.unsent))] : []),
    row('  last answer after the last arrival', '', arrivals.tailMs.toFixed(0)),
    row(
      '  full load, a second later',
      (after.requests / after.seconds).toFixed(0),
      after.p99Ms.toFixed(1),
      ...judged(recovered, recovered >= WANTED_RECOVERED, `≥ ${WANTED_RECOVERED}`),
    ),
    row('  wrong answers', String(wrong), '', '', '0', wrong === 0 ? 'ok' : 'FAILED'),
    ...[arrivals.firstError ?? after.firstError].filter((error) => error !== null).map((error) => `    ${error}`),
  ];
}

function row(title: string, ...cells: string[]): string {
  return `${title.padEnd(40)}${cells.map((cell) => cell.padStart(10)).join('')}`.trimEnd();
}
