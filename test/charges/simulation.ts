import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PostgresServer } from '../replicas/support/postgres-server.js';
import { ConsoleClient } from '../support/console-client.js';
import { eventually } from '../support/eventually.js';
import { BalanceWatch, type RanOut } from './balance-watch.js';
import { CALLERS, type Caller, createCallers, createKeys } from './callers.js';
import { type Called, call } from './client.js';
import { Gateways } from './gateways.js';
import { type MadeRequest, makeRequest } from './requests/request-maker.js';
import type { BilledAttempt } from './upstream/bill.js';
import { BillingUpstream } from './upstream/billing-upstream.js';

const AT_ONCE = 100;
const GATEWAYS = 2;

/** The shares of the requests after which a gateway is killed or restarted. */
const EVENTS: readonly (readonly [share: number, deed: 'kill' | 'restart', gateway: number])[] = [
  [0.25, 'kill', 0],
  [0.5, 'restart', 1],
  [0.75, 'kill', 1],
];
const EVENTS_OF_MANY: typeof EVENTS = [...EVENTS, [0.1, 'kill', 1], [0.6, 'kill', 0], [0.9, 'kill', 1]];
/** With at least this many requests, chance hardly affects the charge of each caller. */
export const MANY = 5000;

/** A row of the ledger. */
export interface LedgerRow {
  readonly key_id: string;
  readonly status: string;
  readonly model: string;
  readonly upstream: string | null;
  readonly error_code: string | null;
  readonly token_source: string | null;
  readonly cost: string;
  readonly reserved: string | null;
  readonly admitted_at: string | null;
  readonly input: string;
  readonly output: string;
  readonly basis: string | null;
  readonly attempts: readonly { outcome: string }[] | null;
}

export interface BalanceRow {
  readonly id: string;
  readonly running: number;
  readonly reserved: string;
  readonly spent_day: string;
  readonly spent_month: string;
  readonly spent_total: string;
}

/** The state after the load, when all calls have ended. */
export interface Run {
  readonly callers: readonly Caller[];
  readonly requests: readonly (Omit<MadeRequest, 'body'> & { readonly keyId: string; readonly called: Called })[];
  readonly rows: readonly LedgerRow[];
  readonly bill: readonly BilledAttempt[];
  readonly balances: readonly BalanceRow[];
  readonly ranOut: readonly RanOut[];
  readonly verdict: { ok: boolean; calls: number; faults: string[] };
  readonly seconds: number;
}

/** Sends this number of seeded requests of all kinds to gateways that are killed and restarted meanwhile. */
export async function simulate(seed: number, count: number): Promise<Run> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const postgres = await PostgresServer.start();
    closing.unshift(() => postgres.stop());
    const pool = new pg.Pool({ connectionString: postgres.url, max: 4 });
    pool.on('error', () => undefined);
    closing.unshift(() => pool.end());
    const upstream = await BillingUpstream.start();
    closing.unshift(() => upstream.stop());
    const gateways = new Gateways(postgres.url, upstream.url);
    closing.unshift(() => gateways.stop());
    await gateways.start(GATEWAYS);
    return await run(seed, count, pool, upstream, gateways);
  } finally {
    for (const close of closing) await close();
  }
}

async function run(
  seed: number,
  count: number,
  pool: pg.Pool,
  upstream: BillingUpstream,
  gateways: Gateways,
): Promise<Run> {
  const admin = await ConsoleClient.signIn({ url: gateways.urls[0] ?? '' }, gateways.admin);
  const callers = await createCallers(pool, admin, count);
  const owners = Array.from({ length: count }, (_, number) => makeRequest(seed, number, CALLERS).caller);
  const keys = await createKeys(
    pool,
    owners.map((caller) => callers[caller]?.userId ?? ''),
  );
  // New settings take effect everywhere within a second.
  await sleep(1000);
  const watch = new BalanceWatch(pool, callers);
  const begunAt = performance.now();
  const requests: Run['requests'][number][] = [];
  let deeds = Promise.resolve();
  let next = 0;
  const client = async () => {
    while (next < count) {
      const number = next++;
      for (const [share, deed, gateway] of count < MANY ? EVENTS : EVENTS_OF_MANY) {
        if (number === Math.floor(count * share)) deeds = deeds.then(() => gateways[deed](gateway));
      }
      const { body, ...made } = makeRequest(seed, number, CALLERS);
      const { key = '', id: keyId = '' } = keys[number] ?? {};
      const { urls } = gateways;
      const url = urls[number % urls.length] ?? '';
      requests.push({ ...made, keyId, called: await call(url, key, { ...made, body }, upstream) });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, client));
    await deeds;
  } finally {
    await Promise.allSettled([deeds, watch.stop()]);
  }
  const seconds = (performance.now() - begunAt) / 1000;
  return {
    callers,
    requests,
    bill: await atRest(pool, upstream),
    rows: await ledgerRows(pool),
    balances: await balanceRows(pool),
    ranOut: [...watch.ranOut.values()],
    verdict: await gateways.verify(),
    seconds,
  };
}

/**
 * Waits until every call has ended in the ledger and at the upstream. Calls of a killed process are closed by another
 * one.
 */
async function atRest(pool: pg.Pool, upstream: BillingUpstream): Promise<readonly BilledAttempt[]> {
  await eventually(async () => {
    const { rows } = await pool.query(`SELECT 1 FROM usage_calls WHERE status = 'open' LIMIT 1`);
    return rows.length === 0;
  }, 60_000);
  return eventually(async () => {
    const bill = await upstream.bill();
    return bill.every(({ ending }) => ending !== 'open') && bill;
  }, 30_000);
}

async function ledgerRows(pool: pg.Pool): Promise<LedgerRow[]> {
  const { rows } = await pool.query<LedgerRow>(
    `SELECT key_id, status, model, upstream, error_code, token_source, cost_nanodollars AS cost,
       reserved_nanodollars AS reserved, admitted_at::text, input_tokens AS input, output_tokens AS output,
       charge->>'basis' AS basis, attempts
     FROM usage_calls`,
  );
  return rows;
}

async function balanceRows(pool: pg.Pool): Promise<BalanceRow[]> {
  const { rows } = await pool.query<BalanceRow>(
    `SELECT id, running, reserved_day + reserved_month + reserved_total AS reserved, spent_day, spent_month, spent_total
     FROM limit_balances`,
  );
  return rows;
}
