/** `npm run bench -- growth`: a gateway on a database with 90 days of data, beside one on an empty database. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { parse } from 'yaml';
import { Child } from './child.ts';
import { benchFolder, type Gateway, launchGateway, ready } from './gateway.ts';
import {
  type CallFigures,
  callAll,
  type GrowthQuestion,
  growthQuestions,
  measureCalls,
  runTrial,
  type TrialFigures,
} from './growth-calls.ts';
import {
  type Callers,
  GROWTH_HELP,
  type GrowthOptions,
  keepSetting,
  type People,
  parseGrowthOptions,
  seedCallers,
  seedGrowth,
  storedSetting,
} from './growth-seed.ts';
import { median } from './measure.ts';
import { type SignedIn, signedIn } from './usage-seed.ts';

const DUPLICATE_DATABASE = '42P04';
const EMBEDDED = path.resolve(import.meta.dirname, '../dist/database/embedded/embedded-postgres.js');

/** Where one gateway of the bench keeps its data. */
export interface GrowthDatabase {
  /** For the gateway's environment. */
  variables: NodeJS.ProcessEnv;
  /** `folder`: of the running gateway. */
  connection(folder: string): Promise<pg.ClientConfig>;
  drop(): Promise<void>;
}

/** The gateway's embedded database, or one on a server: new and dropped at the end, or kept. */
async function growthDatabase(serverUrl: string | null, keepAs: string | null): Promise<GrowthDatabase> {
  if (serverUrl === null) return { variables: {}, connection: embedded, drop: async () => undefined };
  const name = keepAs ?? `gateway_growth_${randomBytes(4).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`).catch((error) => {
    if (keepAs === null || error.code !== DUPLICATE_DATABASE) throw error;
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    variables: { DATABASE_URL: url.href },
    connection: async () => ({ connectionString: url.href }),
    drop: async () => {
      if (keepAs === null) await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function embedded(folder: string): Promise<pg.ClientConfig> {
  const { startEmbeddedPostgres } = await import(EMBEDDED);
  const { host, port, username, password, database } = await startEmbeddedPostgres(path.join(folder, 'data/postgres'));
  return { host, port, user: username, password, database };
}

async function onServer(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

interface Answered {
  title: string;
  ms: number;
  kilobytes: number;
}

/** One gateway with its database. */
interface GrowthSide {
  calls: CallFigures;
  answers: Answered[];
  residentMb: number;
  ledgerMb: number;
}

interface GrowthResult {
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

function isWithin({ full, empty, trial }: GrowthResult): boolean {
  const isAnswered = (answers: Record<string, number>) => Object.keys(answers).every((status) => status === '200');
  return (
    rowsOf(full, empty).every(([, , , , verdict]) => verdict !== 'OVER') &&
    (trial === null || (isAnswered(trial.calls) && isAnswered(trial.reports)))
  );
}

/** Plain text. */
function toGrowthTable(result: GrowthResult): string {
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
  const reported = (label: string, one: number, other: number, digits: number): Row => [
    label,
    one.toFixed(digits),
    other.toFixed(digits),
    '',
    '',
  ];
  const required = (row: Row, text: string, isStored: boolean): Row => [
    row[0],
    row[1],
    row[2],
    text,
    isStored ? 'ok' : 'OVER',
  ];
  const statement = (label: string, pick: (calls: CallFigures) => number) =>
    required(
      reported(label, pick(full.calls), pick(empty.calls), 0),
      `≤ ${MAX_STATEMENT_RATIO} ×`,
      pick(full.calls) <= MAX_STATEMENT_RATIO * pick(empty.calls),
    );
  return [
    reported('a call, p50 ms', full.calls.p50Ms, empty.calls.p50Ms, 2),
    reported('a call, p99 ms', full.calls.p99Ms, empty.calls.p99Ms, 2),
    reported('calls/s of 8 at a time', full.calls.callsPerSecond, empty.calls.callsPerSecond, 0),
    statement('opening a row, µs', ({ openUs }) => openUs),
    statement('closing a row, µs', ({ closeUs }) => closeUs),
    reported('WAL a call, bytes', full.calls.walBytes, empty.calls.walBytes, 0),
    required(
      ['of it the rows of the ledger', bytes(full.calls.rowWalBytes), bytes(empty.calls.rowWalBytes), '', ''],
      `≤ ${MAX_WAL_BYTES}`,
      (full.calls.rowWalBytes ?? 0) <= MAX_WAL_BYTES,
    ),
    reported('memory of the gateway afterwards, MB', full.residentMb, empty.residentMb, 0),
    ...full.answers.map(({ title, ms, kilobytes }, place) =>
      required(
        [`${title}, ms`, `${ms.toFixed(0)} (${kilobytes} kB)`, empty.answers[place]?.ms.toFixed(0) ?? '', '', ''],
        `≤ ${MAX_ANSWER_MS}`,
        ms <= MAX_ANSWER_MS && kilobytes <= MAX_ANSWER_KB,
      ),
    ),
  ];
}

const ROOT = path.resolve(import.meta.dirname, '..');
/** Keys whose calls are measured; each calls twice, warm. */
const MEASURED_KEYS = 2000;
const AT_ONCE = 8;
const DAY_MS = 86_400_000;
/** Of roll-ups. */
const SLOT_MS = 900_000;

interface Side {
  gateway: Gateway;
  /** For another gateway on the same database. */
  variables: NodeJS.ProcessEnv;
  client: pg.Client;
  people: People;
  callers: Callers;
  /** Its rows must still be created. */
  isNew: boolean;
}

const options = readOptions(process.argv.slice(2));
const cleanUp: (() => unknown)[] = [];
try {
  const result = await run(options);
  console.log(options.json ? JSON.stringify(result, null, 2) : toGrowthTable(result));
  if (!isWithin(result)) process.exitCode = 1;
} finally {
  for (const step of cleanUp.reverse()) await step();
}

async function run(requested: GrowthOptions): Promise<GrowthResult> {
  const upstream = new Child(path.join(import.meta.dirname, 'upstream.ts'));
  cleanUp.push(() => upstream.stop());
  const upstreamUrl = `http://127.0.0.1:${await upstream.ask<number>('port')}`;
  const sides = {
    full: await start('full', requested, upstreamUrl),
    empty: await start('empty', requested, upstreamUrl),
  };
  const { client, callers, isNew } = sides.full;
  const seedSeconds = isNew ? await secondsOf(() => seedGrowth(client, requested, models(), callers, progress)) : 0;
  const rollUpSeconds = await secondsOf(() => rolledUp(client));
  progress('rolled up');
  const full = await measure(sides.full, requested);
  const empty = await measure(sides.empty, requested);
  const trial = requested.trialMinutes > 0 ? await tryTwo(sides.full, upstreamUrl, requested.trialMinutes) : null;
  return { options: requested, seedSeconds, rollUpSeconds, full, empty, trial };
}

async function start(name: string, requested: GrowthOptions, upstreamUrl: string): Promise<Side> {
  const folder = benchFolder();
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const database = await growthDatabase(requested.serverUrl, requested.keepAs && `${requested.keepAs}_${name}`);
  cleanUp.push(() => database.drop());
  const gateway = await launchGateway(folder, upstreamUrl, database.variables);
  cleanUp.push(() => gateway.child.stop());
  await ready(gateway);
  const connection = await database.connection(folder);
  const client = new pg.Client(connection);
  await client.connect();
  cleanUp.push(() => client.end());
  const stored = await storedSetting(client);
  const variables = { DATABASE_URL: toUrl(connection) };
  if (stored) return { gateway, variables, client, ...stored, isNew: false };
  const people = { admin: await signedIn(gateway, 'admin'), member: await signedIn(gateway, 'member') };
  const callers = await seedCallers(client, requested, people.member.id);
  await keepSetting(client, { people, callers });
  return { gateway, variables, client, people, callers, isNew: true };
}

async function tryTwo(side: Side, upstreamUrl: string, minutes: number): Promise<TrialFigures> {
  const folder = benchFolder();
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const second = await launchGateway(folder, upstreamUrl, side.variables);
  cleanUp.push(() => second.child.stop());
  await ready(second);
  progress(`two gateways run for ${minutes} minutes`);
  return runTrial([side.gateway, second], side.callers, side.people, minutes);
}

async function measure({ gateway, client, people, callers }: Side, { times }: GrowthOptions): Promise<GrowthSide> {
  const measured = spread(callers.secrets, MEASURED_KEYS);
  await callAll(gateway, measured, AT_ONCE);
  const calls = await measureCalls(gateway, client, [...measured, ...measured]);
  const answers: Answered[] = [];
  for (const question of growthQuestions(new Date()))
    answers.push(await ask(gateway, people[question.who], question, times));
  const { rows } = await client.query(
    "SELECT sum(pg_total_relation_size(inhrelid)) / 1e6 AS mb FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass",
  );
  return { calls, answers, residentMb: residentMb(gateway), ledgerMb: Math.round(rows[0].mb) };
}

async function ask(
  { port }: Gateway,
  { cookie }: SignedIn,
  question: GrowthQuestion,
  times: number,
): Promise<Answered> {
  const took: number[] = [];
  let kilobytes = 0;
  for (let turn = -1; turn < times; turn++) {
    const from = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${question.path}`, { headers: { cookie } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${question.title}: ${response.status} ${text}`);
    kilobytes = Math.ceil(Buffer.byteLength(text) / 1024);
    if (turn >= 0) took.push(performance.now() - from);
  }
  return { title: question.title, ms: median(took), kilobytes };
}

/** Waits until all calls are rolled up, and all past days are aggregated from their hours. */
async function rolledUp(client: pg.Client): Promise<void> {
  const midnight = Math.floor(Date.now() / DAY_MS) * (DAY_MS / SLOT_MS);
  for (;;) {
    const { rows } = await client.query(
      `SELECT days_up_to >= $1 AND NOT EXISTS (
         SELECT FROM usage_calls WHERE status <> 'open' AND changed_in >= rolled_up_to
       ) AS "isDone" FROM usage_rollup_state`,
      [midnight],
    );
    if (rows[0]?.isDone) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** An even selection of this size that includes the busiest. */
function spread(secrets: readonly string[], count: number): string[] {
  const step = Math.max(1, secrets.length / count);
  return Array.from({ length: Math.min(count, secrets.length) }, (_, place) => secrets[Math.floor(place * step)] ?? '');
}

function residentMb({ child }: Gateway): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1')) ?? [];
  return Number(kilobytes) / 1024;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Math.round((performance.now() - from) / 1000);
}

function toUrl({ connectionString, host, port, user, password, database }: pg.ClientConfig): string {
  if (connectionString !== undefined) return connectionString;
  const [as, at] = [`${user}:${encodeURIComponent(String(password))}`, encodeURIComponent(String(host))];
  return `postgres://${as}@localhost/${database}?host=${at}&port=${port}`;
}

function models(): string[] {
  const catalog = parse(readFileSync(path.join(ROOT, 'config/models.yaml'), 'utf8')) as { id: string }[];
  return catalog.map(({ id }) => id);
}

/** Seeding takes minutes; only the result goes to stdout. */
function progress(line: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
}

function readOptions(words: string[]): GrowthOptions {
  try {
    return parseGrowthOptions(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${GROWTH_HELP}`);
    process.exit(2);
  }
}
