import { type BilledRequest, isEstimated, isOwed, sumOf } from './billed-requests.js';
import { spendings } from './budgets.js';
import { mixOf } from './mix.js';
import type { Run } from './simulation.js';

const HEAD = [
  '',
  'requests',
  'paid',
  'refused',
  'budget $',
  'billed $',
  'charged $',
  '%',
  'estimated: billed $',
  'charged $',
  '%',
];

/** The provider's bill and the ledger's charges, by caller and by the source of the token counts. */
export function tables(run: Run, billedRequests: readonly BilledRequest[]): string {
  const { callers, requests, seconds, bill, verdict } = run;
  const rows = callers.map(({ name, capUsd }, index) => rowOf(name, billedRequests.filter(isOf(index)), capUsd));
  const ways = Map.groupBy(billedRequests.filter(isOwed), wayOf);
  const models = Map.groupBy(billedRequests.filter(isOwed), ({ request }) => request.move ?? request.model);
  const part = (title: string, groups: Map<string, BilledRequest[]>) => [
    [title, 'calls', 'billed $', 'charged $', '%'],
    ...[...groups]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, ones]) => [name, String(ones.length), ...sumsOf(ones)]),
  ];
  const seen = Map.groupBy(requests, ({ called: { seen, code } }) => (code ? `${seen} (${code})` : seen));
  const endings = Map.groupBy(bill, ({ ending }) => ending);
  return [
    `${requests.length} requests in ${seconds.toFixed(0)} s; seen by callers: ${counts(seen)}; by the upstream: ${counts(endings)}`,
    table([HEAD, ...rows, rowOf('all', billedRequests, null)]),
    table(part('by how tokens were found', ways)),
    table(part('by model or move', models)),
    Object.entries(mixOf(run, billedRequests))
      .map(([what, times]) => `${times} ${what}`)
      .join('; '),
    table([
      ['budgets', 'period', 'budget $', 'charged $', 'beyond reserved $'],
      ...spendings(run).map(({ caller, of, cap, cost, beyond }) => [
        caller,
        of || 'total',
        dollars(cap),
        dollars(cost),
        dollars(beyond),
      ]),
    ]),
    table([
      ['most off', 'caller', 'way', 'tokens: billed', 'charged', 'billed $', 'charged $'],
      ...worst(billedRequests),
    ]),
    `killed with their gateway: ${killed(billedRequests)}; unpaid attempts: ${unpaid(billedRequests)}`,
    `ledger:verify: ${JSON.stringify(verdict)}`,
  ].join('\n\n');
}

function isOf(caller: number): (one: BilledRequest) => boolean {
  return ({ request }) => request.caller === caller;
}

function rowOf(name: string, ones: readonly BilledRequest[], capUsd: number | null): string[] {
  const owed = ones.filter(isOwed);
  const refused = ones.filter(({ request }) => request.called.seen === 'refused');
  return [
    name,
    String(ones.length),
    String(owed.length),
    String(refused.length),
    capUsd?.toFixed(4) ?? '',
    ...sumsOf(owed),
    ...sumsOf(owed.filter(isEstimated)),
  ];
}

function sumsOf(ones: readonly BilledRequest[]): string[] {
  const billed = sumOf(ones, (one) => one.billed);
  const charged = sumOf(ones, (one) => one.charged);
  return [dollars(billed), dollars(charged), billed === 0 ? '-' : ((charged / billed) * 100).toFixed(2)];
}

function wayOf({ row, paid }: BilledRequest): string {
  return `${row?.status ?? 'no row'}, ${row?.basis ?? row?.token_source ?? '-'}, ${paid?.ending}`;
}

const SHOWN = 12;

function worst(billedRequests: readonly BilledRequest[]): string[][] {
  const off = ({ charged, billed }: BilledRequest) => Math.abs(charged - billed);
  return billedRequests
    .filter(isOwed)
    .toSorted((a, b) => off(b) - off(a))
    .slice(0, SHOWN)
    .map((one) => {
      const { request, row, paid, billed, charged } = one;
      return [
        `${request.id} ${request.model}, reports ${request.script.report}`,
        String(request.caller),
        wayOf(one),
        `${paid?.prompt.total}+${paid?.output}`,
        `${row?.input}+${row?.output}`,
        dollars(billed),
        dollars(charged),
      ];
    });
}

function killed(billedRequests: readonly BilledRequest[]): string {
  const ones = billedRequests.filter(({ row, paid }) => row?.status === 'interrupted' && paid !== null);
  const [billed, charged, share] = sumsOf(ones);
  return `${ones.length} calls, billed ${billed} $, charged ${charged} $ (${share} %)`;
}

function unpaid(billedRequests: readonly BilledRequest[]): string {
  return counts(
    Map.groupBy(
      billedRequests.flatMap((one) => one.unpaid),
      ({ ending }) => ending,
    ),
  );
}

function counts(groups: Map<string, readonly unknown[]>): string {
  return [...groups].map(([name, ones]) => `${ones.length} ${name}`).join(', ') || 'none';
}

function dollars(nano: number): string {
  return (nano / 1e9).toFixed(4);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return rows.map(line).join('\n');
}
