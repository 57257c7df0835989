import type pg from 'pg';
import type { Gateway } from './gateway.ts';
import { quantile } from './quantiles.ts';
import { requestBody } from './requests.ts';

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
