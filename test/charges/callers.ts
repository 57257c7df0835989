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

interface Budget {
  readonly period: Period;
  /** Of what its caller wants to spend, however many requests there are. */
  readonly share?: number;
  readonly usd?: number;
}

const BUDGETS: readonly (Budget | null)[] = [
  null,
  { period: 'day', share: 0.3 },
  { period: 'month', share: 0.5 },
  { period: 'total', usd: 0.02 },
  null,
  { period: 'total', share: 0.6 },
  { period: 'day', share: 5 },
  { period: 'month', share: 0.15 },
  null,
  { period: 'total', usd: 0.02 },
  { period: 'day', share: 0.7 },
  null,
];

export const CALLERS = BUDGETS.length;

/** Callers whose upstreams report more than their budgets allow, so that these are exceeded. */
export const OVERDRAWN: ReadonlySet<number> = new Set([3, 9]);

const FIELDS = { day: 'budgetDayUsd', month: 'budgetMonthUsd', total: 'budgetTotalUsd' } as const;

/** Callers with and without budgets, for this total number of requests. */
export async function createCallers(pool: pg.Pool, admin: ConsoleClient, requests: number): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (const [index, budget] of BUDGETS.entries()) {
    const name = `caller-${index}`;
    const { rows } = await pool.query<{ id: string }>('INSERT INTO users (email) VALUES ($1) RETURNING id', [
      `${name}@example.com`,
    ]);
    const userId = rows[0]?.id ?? '';
    const capUsd = budget && capOf(budget, requests);
    const period = budget?.period ?? null;
    if (period !== null) await setLimits(admin, userId, { [FIELDS[period]]: capUsd, concurrentCalls: 1000 });
    callers.push({ name, userId, period, capUsd });
  }
  return callers;
}

function capOf({ share = 0, usd }: Budget, requests: number): number {
  return usd ?? Number(((requests / CALLERS) * USD_A_REQUEST * share).toFixed(6));
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
