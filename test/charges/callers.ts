import type pg from 'pg';
import { newSecret } from '../../src/auth/api-key.secret.js';
import { ConsoleClient } from '../support/console-client.js';

export const BUDGET_PERIODS = ['day', 'month', 'total'] as const;
export type Period = (typeof BUDGET_PERIODS)[number];

export interface Caller {
  readonly name: string;
  readonly userId: string;
  /** Null: no limits. */
  readonly period: Period | null;
  readonly capUsd: number | null;
}

/** The average cost of a request in US dollars. */
const USD_A_REQUEST = 0.006;

/** The budgets, as shares of what their callers want to spend. */
const SHARES: readonly (readonly [Period | null, number])[] = [
  [null, 0],
  ['day', 0.3],
  ['month', 0.5],
  ['total', 0.1],
  [null, 0],
  ['total', 0.6],
  ['day', 5],
  ['month', 0.15],
  [null, 0],
  ['total', 0.15],
  ['day', 0.7],
  [null, 0],
];

export const CALLERS = SHARES.length;

const FIELDS = { day: 'budgetDayUsd', month: 'budgetMonthUsd', total: 'budgetTotalUsd' } as const;

/** Callers with and without budgets, for this total number of requests. */
export async function createCallers(pool: pg.Pool, admin: ConsoleClient, requests: number): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const [index, [period, share]] of SHARES.entries()) {
    const name = `caller-${index}`;
    const { rows } = await pool.query<{ id: string }>('INSERT INTO users (email) VALUES ($1) RETURNING id', [
      `${name}@example.com`,
    ]);
    const userId = rows[0]?.id ?? '';
    const capUsd = period === null ? null : Number(((requests / CALLERS) * USD_A_REQUEST * share).toFixed(6));
    if (period !== null) await setLimits(admin, userId, { [FIELDS[period]]: capUsd, concurrentCalls: 1000 });
    callers.push({ name, userId, period, capUsd });
  }
  return callers;
}

async function setLimits(admin: ConsoleClient, userId: string, limits: object): Promise<void> {
  const { status, body } = await admin.patch(`/api/users/${userId}/limits`, limits);
  if (status !== 200) throw new Error(`the limits cannot be set: ${JSON.stringify(body)}`);
}

/** A key for each request, by which its row in the ledger is found even if its caller got no answer. */
export async function createKeys(pool: pg.Pool, owners: readonly string[]): Promise<{ id: string; key: string }[]> {
  const secrets = owners.map(() => newSecret());
  const { rows } = await pool.query<{ id: string; key_hash: Buffer }>(
    `INSERT INTO api_keys (user_id, name, key_hash, display)
     SELECT owner, 'one request', hash, display FROM unnest($1::uuid[], $2::bytea[], $3::text[]) AS t (owner, hash, display)
     RETURNING id, key_hash`,
    [owners, secrets.map(({ stored }) => stored.keyHash), secrets.map(({ stored }) => stored.display)],
  );
  const ids = new Map(rows.map(({ id, key_hash }) => [key_hash.toString('hex'), id]));
  return secrets.map(({ key, stored }) => ({ key, id: ids.get(stored.keyHash.toString('hex')) ?? '' }));
}
