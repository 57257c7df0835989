import { cpus } from 'node:os';
import type { Comparison, Heavy, PhaseResult, ServerFigures } from './comparison.ts';
import type { Phase } from './phases.ts';
import type { Pinning } from './pinning.ts';
import { isStreamed } from './requests.ts';

type Row = [label: string, gateway: string, proxy: string, ratio: string, wanted: string, verdict: string];

const KB = 1024;
const MB = 1024 * KB;
const MAX_LOADED_MB = 250;
const MAX_STREAM_KB = 40;
const HEAD: Row = ['', 'gateway', 'bare proxy', 'ratio', 'wanted', 'verdict'];
/** Above this share of its processor, the load generator may be the bottleneck. */
const DRIVER_LIMIT = 0.9;
/** Use by other programs, in processors, that deserves a warning. */
const OTHERS_LIMIT = 0.1;

/** Plain text. */
export function toTable(comparison: Comparison, pinning: Pinning | null): string {
  const rows = [HEAD, ...comparison.phases.flatMap(phaseRows), ...memoryRows(comparison)];
  return [...aligned(rows), '', ...remarks(comparison, pinning)].join('\n');
}

/** The last two cells of a row. */
function promise(value: number, most: number | undefined): [wanted: string, verdict: string] {
  return most === undefined ? ['', ''] : [`≤ ${most}`, value <= most ? 'ok' : 'OVER'];
}

function phaseRows({ phase, gateway, proxy, cpuRatio, margin, addedP50Ms }: PhaseResult): Row[] {
  const streamed = isStreamed(phase.request);
  const { most } = phase;
  const row = (label: string, pick: (figures: ServerFigures) => number, digits: number): Row => [
    `  ${label}`,
    pick(gateway).toFixed(digits),
    pick(proxy).toFixed(digits),
    (pick(gateway) / pick(proxy)).toFixed(2),
    '',
    '',
  ];
  const spread = gateway.cpuOfTurns.length > 1 ? ` ± ${margin.toFixed(2)}` : '';
  const ratio = `${cpuRatio.toFixed(2)}${spread}`;
  const cpu = `  CPU µs per ${phase.unit}`;
  return [
    [phase.title, '', '', '', '', ''],
    [cpu, gateway.cpu.toFixed(1), proxy.cpu.toFixed(1), ratio, ...promise(cpuRatio, most.cpuRatio)],
    row('  of it on the main thread', (figures) => figures.mainThreadCpu, 1),
    ...(gateway.databaseCpu === null ? [] : [databaseRow(phase, gateway.databaseCpu)]),
    row('requests/s', (figures) => figures.requestsPerSecond, 0),
    ...(streamed ? [row('chunks/s', (figures) => figures.eventsPerSecond, 0)] : []),
    row(streamed ? 'first chunk p50 ms' : 'p50 ms', (figures) => figures.p50Ms, 2),
    ...(most.addedP50Ms === undefined ? [] : [addedRow(addedP50Ms, most.addedP50Ms)]),
    row(streamed ? 'first chunk p99 ms' : 'p99 ms', (figures) => figures.p99Ms, 2),
    ['  processor busy: server', percent(gateway.serverBusy), percent(proxy.serverBusy), '', '', ''],
    ['  processor busy: load', percent(gateway.driverBusy), percent(proxy.driverBusy), '', '', ''],
  ];
}

function databaseRow({ unit, most }: Phase, cpu: number): Row {
  return [`    beside it: database, µs per ${unit}`, cpu.toFixed(1), '', '', ...promise(cpu, most.databaseCpu)];
}

function addedRow(addedMs: number, mostMs: number): Row {
  return ['  added p50 ms', addedMs.toFixed(2), '', '', ...promise(addedMs, mostMs)];
}

function heavyRows({ loadedRss, openStreams: { streams, liveBytes, residentBytes } }: Heavy): Row[] {
  const mb = loadedRss / MB;
  const live = liveBytes / KB;
  return [
    ['  resident after 30 s at full load', mb.toFixed(0), '', '', ...promise(mb, MAX_LOADED_MB)],
    [`  an open stream, ${streams} of them, kB: live`, live.toFixed(1), '', '', ...promise(live, MAX_STREAM_KB)],
    ['  the same: resident', (residentBytes / KB).toFixed(1), '', '', '', ''],
  ];
}

function memoryRows({ memory: { warm, lastRss, end, isFlat }, heavy, errors }: Comparison): Row[] {
  return [
    ['Memory of the gateway, MB', '', '', '', '', ''],
    ...(heavy ? heavyRows(heavy) : []),
    ['  resident: warm → last load → after a pause', arrow(warm.rss, lastRss, end.rss), '', '', '', ''],
    ['  live: warm → after a pause', arrow(warm.live, end.live), '', '', '≤ + 5', isFlat ? 'flat' : 'GROWS'],
    ['Wrong or missing answers', String(errors), '', '', '0', errors === 0 ? 'ok' : 'FAILED'],
  ];
}

function remarks({ phases, requests, firstError, othersBusy }: Comparison, pinning: Pinning | null): string[] {
  const slow = phases.filter(({ gateway, proxy }) => Math.max(gateway.driverBusy, proxy.driverBusy) > DRIVER_LIMIT);
  return [
    `${requests} answers checked. Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ` +
      (pinning
        ? `servers on processor ${pinning.servers}, load and upstream on ${pinning.load}.`
        : 'processes not pinned.'),
    'CPU is that of the whole process, all its threads; each figure is the median of short turns on both servers alternately.',
    ...slow.map(({ phase }) => `${phase.title}: the load generator was at its limit, so requests/s are a floor.`),
    ...(othersBusy > OTHERS_LIMIT
      ? [
          `Other programs took ${othersBusy.toFixed(1)} processors meanwhile: the figures are more stable on an idle machine.`,
        ]
      : []),
    ...(firstError ? [`First error: ${firstError}`] : []),
  ];
}

function aligned(rows: Row[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function arrow(...bytes: number[]): string {
  return bytes.map((value) => (value / MB).toFixed(0)).join(' → ');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
