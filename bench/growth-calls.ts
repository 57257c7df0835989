import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Gateway } from './gateway.ts';
import type { Callers, People } from './growth-seed.ts';
import { quantile } from './measure.ts';
import { requestBody } from './traffic.ts';
import { usageQuestions } from './usage-seed.ts';

/** Calls of many keys on one gateway. */
export interface CallFigures {
  p50Ms: number;
  p99Ms: number;
  callsPerSecond: number;
  /** Time of the ledger's statements in µs a row. */
  openUs: number;
  closeUs: number;
  /** Everything written meanwhile, including last uses and roll-ups. */
  walBytes: number;
  /** Only the ledger's rows; null without `pg_walinspect`. */
  rowWalBytes: number | null;
}

interface Written {
  rows: number;
  seconds: number;
}

const BODY = requestBody('json', 'openai');

/** Each key calls at least once, with this concurrency; every answer must be a 200. */
export async function callAll({ port }: Gateway, secrets: readonly string[], atOnce: number): Promise<number[]> {
  const left = [...secrets];
  const took: number[] = [];
  const worker = async () => {
    for (let secret = left.pop(); secret !== undefined; secret = left.pop()) {
      const from = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: BODY,
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`a call got ${response.status}: ${text}`);
      took.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return took;
}

/** Starts after a checkpoint, when Postgres writes each page that is touched for the first time whole. */
export async function measureCalls(
  gateway: Gateway,
  client: pg.Client,
  secrets: readonly string[],
): Promise<CallFigures> {
  await client.query('CHECKPOINT');
  const begin = await walPosition(client);
  const [open, close] = [await written(gateway, 'open'), await written(gateway, 'closed')];
  const from = performance.now();
  const took = await callAll(gateway, secrets, 8);
  const seconds = (performance.now() - from) / 1000;
  const end = await walPosition(client);
  const { rows } = await client.query('SELECT pg_wal_lsn_diff($1, $2)::float8 AS bytes', [end, begin]);
  const rowBytes = await walOfLedger(client, begin, end).catch(() => null);
  return {
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    callsPerSecond: took.length / seconds,
    openUs: perRow(open, await written(gateway, 'open')),
    closeUs: perRow(close, await written(gateway, 'closed')),
    walBytes: rows[0].bytes / took.length,
    rowWalBytes: rowBytes && rowBytes / took.length,
  };
}

function perRow(before: Written, after: Written): number {
  return ((after.seconds - before.seconds) / (after.rows - before.rows)) * 1e6;
}

async function walPosition(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT pg_current_wal_lsn() AS at');
  return rows[0].at;
}

/** Bytes about the ledger's partitions and their indexes. */
async function walOfLedger(client: pg.Client, begin: string, end: string): Promise<number> {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect');
  const { rows } = await client.query(
    `SELECT sum(record_length)::float8 AS bytes FROM pg_get_wal_records_info($1, $2)
     JOIN pg_class ON relfilenode = substring(block_ref FROM 'rel \\d+/\\d+/(\\d+)')::oid
     WHERE relname LIKE 'usage_calls%'`,
    [begin, end],
  );
  return rows[0].bytes;
}

async function written({ port }: Gateway, writer: string): Promise<Written> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const sum = (name: string) => {
    const [, value] = new RegExp(`^${name}_sum\\{writer="${writer}"\\} (.*)$`, 'm').exec(text) ?? [];
    if (value === undefined) throw new Error(`/metrics has no ${name} of ${writer}`);
    return Number(value);
  };
  return { rows: sum('gateway_ledger_batch_rows'), seconds: sum('gateway_ledger_batch_seconds') };
}

/** A query of the console. */
export interface GrowthQuestion {
  title: string;
  who: 'admin' | 'member';
  path: string;
}

const DAY_MS = 86_400_000;

/**
 * Every report and list of the console that grows, as of now, for an administrator and for a member with many calls.
 */
export function growthQuestions(now: Date): GrowthQuestion[] {
  const from = (days: number) => `from=${new Date(now.getTime() - days * DAY_MS).toISOString()}`;
  const to = `to=${new Date(now.getTime() + DAY_MS).toISOString()}`;
  const admin = (title: string, path: string): GrowthQuestion => ({ title, who: 'admin', path });
  const member = (title: string, path: string): GrowthQuestion => ({
    title: `a member's ${title}`,
    who: 'member',
    path,
  });
  const all = `scope=all&${to}`;
  return [
    ...usageQuestions(now),
    admin('90 days by user by day', `/api/usage?${all}&${from(90)}&groupBy=user`),
    admin('90 days by key by hour', `/api/usage?${all}&${from(90)}&groupBy=key&granularity=hour`),
    member('90 days by status by hour', `/api/usage?${to}&${from(90)}&groupBy=status&granularity=hour`),
    admin('requests: interrupted', `/api/usage/calls?${all}&${from(90)}&statuses=interrupted`),
    admin('requests: failed', `/api/usage/calls?${all}&${from(90)}&statuses=failed`),
    admin('requests: an unused model', `/api/usage/calls?${all}&${from(90)}&models=never-called`),
    admin('requests: one model', `/api/usage/calls?${all}&${from(90)}&models=gpt-6-luna`),
    admin('own requests of a user without any', `/api/usage/calls?${to}&${from(90)}`),
    member('requests', `/api/usage/calls?${to}&${from(90)}`),
    member('requests of one model', `/api/usage/calls?${to}&${from(90)}&models=gpt-6-luna`),
    admin('overview, own', '/api/overview'),
    admin('overview, of all', '/api/overview?scope=all'),
    member('overview', '/api/overview'),
    admin('keys of all', '/api/keys?scope=all'),
    member('keys', '/api/keys'),
    admin('users', '/api/users'),
    admin('audit log', '/api/audit'),
    admin('audit log: a rare action', '/api/audit?action=user.delete'),
    admin('actions of the audit log', '/api/audit/actions'),
    admin('models', '/api/models'),
    admin('upstreams', '/api/upstreams'),
    admin('plans', '/api/plans'),
    admin('settings', '/api/settings'),
  ];
}

/** The results of two gateways on one database. */
export interface TrialFigures {
  minutes: number;
  /** The number of answers by status or error. */
  calls: Record<string, number>;
  callP50Ms: number;
  callP99Ms: number;
  reports: Record<string, number>;
  reportP50Ms: number;
  reportMaxMs: number;
}

const CALLERS = 4;
const CALL_PAUSE_MS = 40;
const REPORT_PAUSE_MS = 300;

/** Calls of many keys at alternating gateways, while one reader goes through all reports and lists. */
export async function runTrial(
  gateways: readonly Gateway[],
  callers: Callers,
  people: People,
  minutes: number,
): Promise<TrialFigures> {
  const until = performance.now() + minutes * 60_000;
  const calls = new Answers();
  const reports = new Answers();
  let number = 0;
  const next = () => gateways[number % gateways.length] as Gateway;
  const call = async () => {
    while (performance.now() < until) {
      const secret = callers.secrets[(number * 7919) % callers.secrets.length];
      const { port } = next();
      number++;
      await calls.take(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: BODY,
      });
      await sleep(CALL_PAUSE_MS);
    }
  };
  const read = async () => {
    while (performance.now() < until) {
      for (const { path, who } of growthQuestions(new Date())) {
        if (performance.now() > until) return;
        await reports.take(`http://127.0.0.1:${next().port}${path}`, { headers: { cookie: people[who].cookie } });
        await sleep(REPORT_PAUSE_MS);
      }
    }
  };
  await Promise.all([...Array.from({ length: CALLERS }, call), read()]);
  return {
    minutes,
    calls: calls.byStatus,
    callP50Ms: quantile(calls.took, 0.5),
    callP99Ms: quantile(calls.took, 0.99),
    reports: reports.byStatus,
    reportP50Ms: quantile(reports.took, 0.5),
    reportMaxMs: quantile(reports.took, 1),
  };
}

class Answers {
  readonly byStatus: Record<string, number> = {};
  readonly took: number[] = [];

  async take(url: string, init: RequestInit): Promise<void> {
    const from = performance.now();
    const status = await fetch(url, init).then(
      async (response) => {
        await response.text();
        return String(response.status);
      },
      (error: Error) => error.message,
    );
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
    this.took.push(performance.now() - from);
  }
}
