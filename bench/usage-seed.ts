import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type pg from 'pg';
import type { Gateway } from './gateway.ts';

const CLI = path.resolve(import.meta.dirname, '../dist/cli/main.js');
const PASSWORD = 'usage bench password';

export interface SignedIn {
  id: string;
  cookie: string;
}

/** A new user, signed in to the console. */
export async function signedIn(gateway: Gateway, role: 'admin' | 'member'): Promise<SignedIn> {
  const email = `${role}@localhost`;
  const words = ['user:create', '--email', email, '--role', role, '--password-stdin', '--json'];
  const child = spawn(process.execPath, [CLI, ...words], { env: gateway.env, cwd: gateway.folder });
  child.stdin.end(`${PASSWORD}\n`);
  const ended = once(child, 'close');
  let reported = '';
  for await (const part of child.stdout) reported += part;
  await ended;
  const { id } = JSON.parse(reported) as { id: string };
  const response = await fetch(`http://127.0.0.1:${gateway.port}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`${email} cannot sign in: ${await response.text()}`);
  return {
    id,
    cookie: response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  };
}

const DAY_MS = 86_400_000;

/** A query of a page of the console. */
export interface UsagePageQuestion {
  title: string;
  who: 'admin' | 'member';
  path: string;
}

/** The usage page in its usual and most expensive forms, as of now. */
export function usageQuestions(now: Date): UsagePageQuestion[] {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  const to = new Date(now.getTime() + DAY_MS).toISOString();
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
  const ask = (
    title: string,
    who: 'admin' | 'member',
    path: string,
    query: Record<string, string>,
  ): UsagePageQuestion => ({
    title,
    who,
    path: `/api/usage${path}?${new URLSearchParams({ to, ...query, ...(who === 'admin' && { scope: 'all' }) })}`,
  });
  const admin = (title: string, query: Record<string, string>) => ask(title, 'admin', '', query);
  const member = (title: string, query: Record<string, string>) => ask(title, 'member', '', query);
  return [
    admin('today by model', { from: before(1), groupBy: 'model', compare: 'true' }),
    admin('30 days by model by day', { from: before(30), groupBy: 'model', zone: 'Europe/Berlin', compare: 'true' }),
    admin('30 days by user by day', { from: before(30), groupBy: 'user', zone: 'Asia/Kolkata', compare: 'true' }),
    admin('90 days by key by day', { from: before(90), groupBy: 'key', zone: 'Europe/Berlin' }),
    admin('90 days by model by day', { from: before(90), groupBy: 'model', zone: 'America/New_York' }),
    admin('this month by status by hour', { from: monthStart, groupBy: 'status', granularity: 'hour' }),
    admin('90 days, totals with comparison', { from: before(45), compare: 'true' }),
    admin('30 days of one model by key', { from: before(30), groupBy: 'key', models: 'gpt-6-luna' }),
    member("a busy member's own 30 days by model", {
      from: before(30),
      groupBy: 'model',
      zone: 'Europe/Berlin',
      compare: 'true',
    }),
    member("a busy member's own 90 days by model", { from: before(90), groupBy: 'model', zone: 'Asia/Kolkata' }),
    member("a busy member's own 30 days by key", { from: before(30), groupBy: 'key', zone: 'Europe/Berlin' }),
    ask('requests, first page', 'admin', '/calls', { from: before(30) }),
    ask("a member's requests, first page", 'member', '/calls', { from: before(30) }),
    ask('requests of one model and upstream', 'admin', '/calls', {
      from: before(90),
      models: 'gpt-6-luna',
      upstreams: 'openai',
    }),
    ask('refused requests', 'admin', '/calls', { from: before(90), statuses: 'refused' }),
    ask('requests of 2 minutes or longer', 'admin', '/calls', { from: before(90), minMs: '120000' }),
    ask("a member's requests of $1 or more", 'member', '/calls', { from: before(90), minCostUsd: '1' }),
    ask('histogram of 30 days', 'admin', '/calls/histogram', { from: before(30) }),
    ask("a member's histogram of 30 days", 'member', '/calls/histogram', { from: before(30) }),
    ask('histogram of requests of 2 minutes', 'admin', '/calls/histogram', { from: before(30), minMs: '120000' }),
    ...['status', 'model', 'upstream', 'key', 'user', 'api', 'cost'].map((of) =>
      ask(`filter by ${of}, 30 days`, 'admin', '/calls/facets', { from: before(30), of }),
    ),
    ...['status', 'model', 'key'].map((of) =>
      ask(`a member's filter by ${of}, 30 days`, 'member', '/calls/facets', { from: before(30), of }),
    ),
    ask("a member's failed requests", 'member', '/calls', { from: before(30), statuses: 'failed' }),
  ];
}

const DAYS = 90;
const PORTION = 40_000;
const MILLION = 1_000_000;
/**
 * How full the gateway lets a page of the ledger become with open rows, and how full they are when they have been
 * closed.
 */
const OPENED_PERCENT = 60;
const CLOSED_PERCENT = 90;
const USERS = 60;
const KEYS = 200;

/**
 * This many calls over the last 90 days: of 200 keys, a few of them busy, each with preferred models, more by day than
 * by night, with realistic failures and durations.
 */
export async function seed(
  client: pg.Client,
  calls: number,
  models: readonly string[],
  busyUser: string,
): Promise<void> {
  await insertCalls(client, calls, models, await seedOwners(client, busyUser));
  await client.query('VACUUM ANALYZE usage_calls');
  await client.query(REFUSED_CALLS, [DAYS]);
  await client.query(RECENT_ERRORS);
  await client.query('VACUUM ANALYZE refused_calls, recent_errors');
}

/** Calls of these keys, the busiest first; `told` gets the count after each million. */
export async function insertCalls(
  client: pg.Client,
  calls: number,
  models: readonly string[],
  { keys, users }: { keys: readonly string[]; users: readonly string[] },
  reported?: (done: number) => void,
): Promise<void> {
  const begin = Date.now() - DAYS * DAY_MS;
  const partitions = await preparePartitions(client, begin);
  await fillPages(client, partitions, CLOSED_PERCENT);
  for (let first = 0; first < calls; first += PORTION) {
    const last = Math.min(calls, first + PORTION) - 1;
    await client.query(INSERT_CALLS, [first, last, calls, new Date(begin), DAYS, keys, users, models]);
    if (Math.floor((last + 1) / MILLION) > Math.floor(first / MILLION) || last + 1 === calls) reported?.(last + 1);
  }
  await fillPages(client, partitions, OPENED_PERCENT);
}

async function fillPages(client: pg.Client, partitions: readonly string[], percent: number): Promise<void> {
  for (const name of partitions) await client.query(`ALTER TABLE ${name} SET (fillfactor = ${percent})`);
}

/** More calls like the existing ones, as of now. */
export async function addCalls(client: pg.Client, calls: number): Promise<void> {
  await client.query(ADD_CALLS, [calls]);
}

async function seedOwners(client: pg.Client, busyUser: string): Promise<{ keys: string[]; users: string[] }> {
  const users = [busyUser, ...Array.from({ length: USERS - 1 }, () => randomUUID())];
  const ids = Array.from({ length: KEYS }, () => randomUUID());
  const owners = ids.map((_, index) => users[index % USERS] ?? busyUser);
  await client.query(
    `INSERT INTO users (id, email) SELECT id, 'seeded-' || number || '@localhost'
     FROM unnest($1::uuid[]) WITH ORDINALITY AS row (id, number) ON CONFLICT DO NOTHING`,
    [users],
  );
  await client.query(
    `INSERT INTO api_keys (id, user_id, name, key_hash, display)
     SELECT id, owner, 'seeded ' || number, sha256(id::text::bytea), 'svc_seed…' || right(id::text, 4)
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS row (id, owner, number)`,
    [ids, owners],
  );
  return { keys: ids, users: owners };
}

async function preparePartitions(client: pg.Client, begin: number): Promise<string[]> {
  const names: string[] = [];
  for (let month = monthOf(new Date(begin)); month.getTime() <= Date.now(); month = monthOf(month, 1)) {
    const name = `usage_calls_${month.toISOString().slice(0, 7).replace('-', '_')}`;
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF usage_calls
       FOR VALUES FROM ('${month.toISOString()}') TO ('${monthOf(month, 1).toISOString()}')`,
    );
    names.push(name);
  }
  return names;
}

function monthOf(date: Date, later = 0): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1));
}

/** $1–$2: the calls' numbers; of $3 in all; $4: the first day, $5: days; $6, $7: keys and their owners; $8: models. */
const INSERT_CALLS = `
  INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, upstream, upstream_model,
    stream, status, finish_reason, error_code, input_tokens, cached_tokens, output_tokens, reasoning_tokens, token_source,
    price_version, cost_nanodollars, attempts, first_token_ms, total_ms)
  SELECT 'chatcmpl-' || lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0'), at, 1, 'req_seed' || n, ($6::uuid[])[key], ($7::uuid[])[key], 'pro', model,
    CASE WHEN model LIKE 'claude%' THEN 'anthropic' WHEN model LIKE 'gemini%' THEN 'gemini' ELSE 'openai' END, model,
    chance_a < 0.7, status, CASE WHEN status = 'settled' THEN 'stop' END,
    CASE status WHEN 'failed' THEN 'upstream_unreachable' WHEN 'aborted' THEN 'client_closed' END,
    input, input / 3, output, output / 5, 'reported', 'seeded', input * 250 + output * 2000,
    jsonb_build_array(jsonb_build_object('upstream', 'openai', 'upstreamModel', model, 'startMs', 1, 'ms', total,
      'outcome', 'ok', 'status', 200)),
    total / 4, total
  FROM (
    SELECT n, $4::timestamptz + (($5::int * ((n + random()) / $3)) - 0.1 * sin(2 * pi() * $5::int * n / $3)) * interval '1 day' AS at,
      key, ($8::text[])[1 + (key * 7 + floor(cardinality($8::text[]) * random() ^ 3)::int) % cardinality($8::text[])] AS model,
      random() AS chance_a,
      CASE WHEN chance < 0.97 THEN 'settled' WHEN chance < 0.99 THEN 'failed' ELSE 'aborted' END AS status,
      (exp(5 + 2 * spread_a))::int AS input, (exp(4 + 2 * spread_b))::int AS output, (exp(6 + 3 * spread_b))::int AS total
    FROM (
      SELECT n, 1 + floor(cardinality($6::uuid[]) * random() ^ 2)::int AS key, random() AS chance, random() AS spread_a,
        random() AS spread_b
      FROM generate_series($1::bigint, $2::bigint) AS n
    ) AS drawn
  ) AS call`;

/** $1: count; each is a copy of one of the newest. */
const ADD_CALLS = `
  INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, upstream, upstream_model,
    stream, status, finish_reason, input_tokens, output_tokens, token_source, price_version, cost_nanodollars,
    first_token_ms, total_ms)
  SELECT 'chatcmpl-added' || gen_random_uuid(), now(), 1, request_id, key_id, user_id, plan_id, model, upstream, upstream_model,
    stream, status, finish_reason, input_tokens, output_tokens, token_source, price_version, cost_nanodollars,
    first_token_ms, total_ms
  FROM (SELECT * FROM usage_calls WHERE status <> 'open' ORDER BY started_at DESC LIMIT $1) AS newest`;

/** $1: days. Each key has two kinds of refusals, each in one of twenty hours. */
const REFUSED_CALLS = `
  INSERT INTO refused_calls (hour, key_id, user_id, model, status, code, api, calls)
  SELECT hour, api_keys.id, user_id, 'gpt-6-luna', status, 'seeded', 'chat.completions', 1 + floor(20 * random())
  FROM generate_series(date_trunc('hour', now()) - make_interval(days => $1), now(), interval '1 hour') AS hour
    CROSS JOIN api_keys CROSS JOIN (VALUES (401), (429)) AS kinds (status)
  WHERE random() < 0.05`;

/** As many of each key as the gateway keeps. */
const RECENT_ERRORS = `
  INSERT INTO recent_errors (at, request_id, key_id, user_id, model, asked_model, api, status, code, message)
  SELECT now() - random() * interval '30 days', 'req_refused' || n, id, user_id, 'gpt-6-luna', 'gpt-6-luna', 'chat.completions',
    429, 'rate_limit_exceeded', 'Too many requests.'
  FROM api_keys CROSS JOIN generate_series(1, 100) AS n`;
