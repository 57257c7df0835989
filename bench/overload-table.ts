import type { ArrivalFigures } from './arrivals.ts';
import type { LoadFigures } from './load.ts';
import { median } from './quantiles.ts';

/** The promise covers twice the load; higher loads are only reported. */
const PROMISED_FACTOR = 2;
const WANTED_GOODPUT = 0.6;
const WANTED_P99 = 10;
const WANTED_RECOVERED = 0.8;

export interface Overload {
  runs: OverloadRun[];
}

export interface OverloadRun {
  /** Arrivals as a multiple of full load. */
  factor: number;
  seconds: number;
  arrivals: ArrivalFigures;
  /** Turns at full load. */
  before: LoadFigures[];
  /** The first of these begins a second after the last arrival. */
  after: LoadFigures[];
}

export interface OverloadRatios {
  /** Calls a second at full load: the median of the turns before and after. */
  capacity: number;
  p99Ms: number;
  goodput: number;
  p99: number;
  recovered: number;
  isKept: boolean;
}

export function rateOf({ requests, seconds }: LoadFigures): number {
  return requests / seconds;
}

/** `goodput`, `p99` and `recovered`, the first turn after it, are multiples of full load. */
export function ratiosOf({ factor, seconds, arrivals, before, after }: OverloadRun): OverloadRatios {
  const [first] = after;
  const turns = [...before, ...after];
  const capacity = median(turns.map(rateOf));
  const p99Ms = median(turns.map((turn) => turn.p99Ms));
  const goodput = arrivals.served / seconds / capacity;
  const p99 = arrivals.p99Ms / p99Ms;
  const recovered = (first ? rateOf(first) : 0) / capacity;
  const isPromised = factor <= PROMISED_FACTOR;
  const isKept =
    [arrivals, ...turns].every(({ errors }) => errors === 0) &&
    (!isPromised || (goodput >= WANTED_GOODPUT && p99 <= WANTED_P99 && recovered >= WANTED_RECOVERED));
  return { capacity, p99Ms, goodput, p99, recovered, isKept };
}

export function toOverloadTable({ runs }: Overload): string {
  return [row('', 'calls/s', 'p99 ms', 'ratio', 'wanted', 'verdict'), ...runs.flatMap(rowsOf)].join('\n');
}

function rowsOf(run: OverloadRun): string[] {
  const { factor, seconds, arrivals, before, after } = run;
  const [first] = after;
  const { capacity, p99Ms, goodput, p99, recovered } = ratiosOf(run);
  const isPromised = factor <= PROMISED_FACTOR;
  const judged = (ratio: number, isWithin: boolean, wanted: string): string[] => [
    ratio.toFixed(2),
    ...(isPromised ? [wanted, isWithin ? 'ok' : 'MISSED'] : []),
  ];
  const perSecond = (count: number): string => (count / seconds).toFixed(0);
  const loads = [arrivals, ...before, ...after];
  const wrong = loads.reduce((sum, { errors }) => sum + errors, 0);
  return [
    row('full load, before and after', capacity.toFixed(0), p99Ms.toFixed(1)),
    row('  its slowest and fastest turn', ...slowestAndFastest([...before, ...after])),
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
      (recovered * capacity).toFixed(0),
      first?.p99Ms.toFixed(1) ?? '',
      ...judged(recovered, recovered >= WANTED_RECOVERED, `≥ ${WANTED_RECOVERED}`),
    ),
    row('  wrong answers', String(wrong), '', '', '0', wrong === 0 ? 'ok' : 'FAILED'),
    ...loads.flatMap(({ firstError }) => (firstError === null ? [] : [`    ${firstError}`])).slice(0, 1),
  ];
}

function slowestAndFastest(turns: LoadFigures[]): [string, string] {
  const rates = turns.map(rateOf);
  return [Math.min(...rates).toFixed(0), Math.max(...rates).toFixed(0)];
}

function row(title: string, ...cells: string[]): string {
  return `${title.padEnd(40)}${cells.map((cell) => cell.padStart(10)).join('')}`.trimEnd();
}
