import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { parse } from 'yaml';
import { benchFolder, type Gateway, launchGateway, ready } from './gateway.ts';
import { addCalls, type SignedIn, seed, signedIn, type UsagePageQuestion, usageQuestions } from './usage-seed.ts';

interface UsageOptions {
  calls: number;
  times: number;
  /** An empty database; null: an embedded one. */
  databaseUrl: string | null;
  json: boolean;
}

const USAGE_HELP = `npm run bench -- usage [options]
  --calls N           calls in the ledger, of 90 days (default 10000000; about ten minutes and 10 GB of disk)
  --times N           how often each query runs (default 40)
  --database-url URL  an empty database to use instead of the embedded one
  --json              one JSON object instead of the table`;

/** @throws on unknown options and invalid numbers. */
function parseUsageOptions(words: string[]): UsageOptions {
  const { values } = parseArgs({
    args: words,
    options: {
      calls: { type: 'string', default: '10000000' },
      times: { type: 'string', default: '40' },
      'database-url': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = (name: 'calls' | 'times') => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`);
    return value;
  };
  return {
    calls: count('calls'),
    times: count('times'),
    databaseUrl: values['database-url'] ?? null,
    json: values.json,
  };
}

const ROOT = path.resolve(import.meta.dirname, '..');
const REQUIRED_P95_MS = 300;
const WARM_UP = 3;
const NEW_CALLS_EVERY_MS = 200;

interface Figures {
  question: string;
  p50Ms: number;
  p95Ms: number;
  kilobytes: number;
}

const options = readOptions(process.argv.slice(2));
const folder = benchFolder();
const gateway = await launchGateway(folder, 'http://127.0.0.1:9', databaseVariables(options));
try {
  await ready(gateway);
  await run(gateway, options);
} finally {
  await gateway.child.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(on: Gateway, { calls, times, databaseUrl, json }: UsageOptions): Promise<void> {
  const client = new pg.Client(databaseUrl === null ? await embedded(folder) : { connectionString: databaseUrl });
  await client.connect();
  const people = { admin: await signedIn(on, 'admin'), member: await signedIn(on, 'member') };
  const seedSeconds = await secondsOf(() => seed(client, calls, models(), people.member.id));
  const rollUpSeconds = await secondsOf(() => rolledUp(client));
  const stop = keepCalling(client);
  const figures: Figures[] = [];
  for (const question of usageQuestions(new Date()))
    figures.push(await measure(on, people[question.who], question, times));
  await stop();
  const size = await sizes(client);
  await client.end();
  const isWithin = figures.every(({ p95Ms }) => p95Ms <= REQUIRED_P95_MS);
  console.log(
    json
      ? JSON.stringify({ calls, seedSeconds, rollUpSeconds, ...size, figures, isWithin }, null, 2)
      : [
          `${calls} calls of 90 days, seeded in ${seedSeconds} s, rolled up ${rollUpSeconds} s later; ` +
            `ledger ${size.ledgerMb} MB, roll-ups ${size.rollUpsMb} MB; ${1000 / NEW_CALLS_EVERY_MS} new calls a second meanwhile`,
          ...figures.map(
            ({ question, p50Ms, p95Ms, kilobytes }) =>
              `${question.padEnd(40)} p50 ${p50Ms.toFixed(0).padStart(5)} ms   p95 ${p95Ms.toFixed(0).padStart(5)} ms   ${kilobytes} kB`,
          ),
          `wanted: p95 ≤ ${REQUIRED_P95_MS} ms: ${isWithin ? 'ok' : 'OVER'}`,
        ].join('\n'),
  );
  if (!isWithin) process.exitCode = 1;
}

async function measure(
  { port }: Gateway,
  { cookie }: SignedIn,
  { title, path: requested }: UsagePageQuestion,
  times: number,
): Promise<Figures> {
  const took: number[] = [];
  let bytes = 0;
  for (let turn = -WARM_UP; turn < times; turn++) {
    const from = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${requested}`, { headers: { cookie } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${title}: ${response.status} ${text}`);
    bytes = text.length;
    if (turn >= 0) took.push(performance.now() - from);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(share * took.length) - 1] ?? 0;
  return { question: title, p50Ms: at(0.5), p95Ms: at(0.95), kilobytes: Math.ceil(bytes / 1024) };
}

async function rolledUp(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `SELECT 1 FROM usage_rollup_state WHERE days_up_to < extract(epoch FROM now() - interval '1 day') / 900
         OR EXISTS (SELECT FROM usage_calls WHERE status <> 'open' AND changed_in >= rolled_up_to)`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Calls continue during the console's queries. */
function keepCalling(client: pg.Client): () => Promise<void> {
  let writing = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(() => addCalls(client, 1));
  }, NEW_CALLS_EVERY_MS);
  return () => {
    clearInterval(timer);
    return writing;
  };
}

async function sizes(client: pg.Client): Promise<{ ledgerMb: number; rollUpsMb: number }> {
  const { rows } = await client.query(
    `SELECT sum(pg_total_relation_size(inhrelid)) / 1e6 AS ledger, (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'usage\\_rollups\\_%') / 1e6 AS roll_ups
     FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass`,
  );
  return { ledgerMb: Math.round(rows[0]?.ledger), rollUpsMb: Math.round(rows[0]?.roll_ups) };
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return Math.round((performance.now() - from) / 1000);
}

function models(): string[] {
  const catalog = parse(readFileSync(path.join(ROOT, 'config/models.yaml'), 'utf8')) as { id: string }[];
  return catalog.map(({ id }) => id);
}

function databaseVariables({ databaseUrl }: UsageOptions): NodeJS.ProcessEnv {
  return databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
}

/** The gateway's own database, which runs as long as it does. */
async function embedded(workFolder: string): Promise<pg.ClientConfig> {
  const { startEmbeddedPostgres } = await import(path.join(ROOT, 'dist/database/embedded/embedded-postgres.js'));
  const { host, port, username, password, database } = await startEmbeddedPostgres(
    path.join(workFolder, 'data/postgres'),
  );
  return { host, port, user: username, password, database };
}

function readOptions(words: string[]): UsageOptions {
  try {
    return parseUsageOptions(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE_HELP}`);
    process.exit(2);
  }
}
