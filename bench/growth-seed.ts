import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { insertCalls, type SignedIn } from './usage-seed.ts';

export interface GrowthOptions {
  calls: number;
  users: number;
  keys: number;
  /** Keys that make the calls. */
  activeKeys: number;
  auditEntries: number;
  idempotentCalls: number;
  /** How often each query runs; the median counts. */
  times: number;
  /** A Postgres server for the two databases; null: two embedded ones. */
  serverUrl: string | null;
  /** Names under which the two databases are kept for later runs; null: they are dropped. */
  keepAs: string | null;
  /** How long two gateways run on the full database at the end; 0: skipped. */
  trialMinutes: number;
  json: boolean;
}

const NUMBERS = {
  calls: 12_000_000,
  users: 2000,
  keys: 300_000,
  'active-keys': 5000,
  'audit-entries': 200_000,
  'idempotent-calls': 800_000,
  times: 5,
} as const;

export const GROWTH_HELP = `npm run bench -- growth [options]
  --calls N             calls in the ledger, of 90 days (default ${NUMBERS.calls}, about 20 minutes and 12 GB of disk;
                        2000000 for a nightly run)
  --users N, --keys N, --active-keys N, --audit-entries N, --idempotent-calls N
                        other rows (default ${NUMBERS.users}, ${NUMBERS.keys}, ${NUMBERS['active-keys']}, ${NUMBERS['audit-entries']}, ${NUMBERS['idempotent-calls']})
  --times N             how often each query runs (default ${NUMBERS.times})
  --server-url URL      a Postgres server to use instead of embedded ones; two databases are created there, and dropped
  --keep-as NAME        keeps them as NAME_full and NAME_empty; another run with the same name only measures
  --trial-minutes N     runs two gateways on the full database at the end, with calls and reports (default 0)
  --json                one JSON object instead of the table`;

/** @throws on unknown options and invalid numbers. */
export function parseGrowthOptions(words: string[]): GrowthOptions {
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
  const { values } = parseArgs({
    args: words,
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string', default: String(NUMBERS[name]) } as const])),
      'server-url': { type: 'string' },
      'keep-as': { type: 'string' },
      'trial-minutes': { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    },
  });
  const count = (name: keyof typeof NUMBERS) => {
    const value = Number((values as Record<string, unknown>)[name]);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`);
    return value;
  };
  const options = {
    calls: count('calls'),
    users: count('users'),
    keys: count('keys'),
    activeKeys: count('active-keys'),
    auditEntries: count('audit-entries'),
    idempotentCalls: count('idempotent-calls'),
    times: count('times'),
    serverUrl: typeof values['server-url'] === 'string' ? values['server-url'] : null,
    keepAs: typeof values['keep-as'] === 'string' ? values['keep-as'] : null,
    trialMinutes: Number(values['trial-minutes']),
    json: values.json === true,
  };
  if (!(options.trialMinutes >= 0)) throw new Error('--trial-minutes must be a number of minutes');
  if (options.activeKeys > options.keys) throw new Error('--active-keys cannot be more than --keys');
  if (options.keepAs !== null && options.serverUrl === null) throw new Error('--keep-as needs --server-url');
  if (options.keepAs !== null && !/^[a-z_]+$/.test(options.keepAs))
    throw new Error('--keep-as accepts lower-case letters and _');
  return options;
}

const FORMAT = path.resolve(import.meta.dirname, '../dist/auth/api-key.secret.js');

/** The callers, the busiest key first. */
export interface Callers {
  /** Complete keys. */
  secrets: string[];
  keys: string[];
  /** The user of each key. */
  users: string[];
}

type Reported = (line: string) => void;

/** Users and keys that make calls: the busiest key belongs to `busyUser`, who has the usual number of keys. */
export async function seedCallers(
  client: pg.Client,
  { users, activeKeys }: GrowthOptions,
  busyUser: string,
): Promise<Callers> {
  const { newApiKey } = (await import(FORMAT)) as { newApiKey(): string };
  const ids = [busyUser, ...Array.from({ length: users - 1 }, () => randomUUID())];
  await client.query(
    `INSERT INTO users (id, email, name)
     SELECT id, 'person-' || number || '@example.com', 'Person ' || number
     FROM unnest($1::uuid[]) WITH ORDINALITY AS row (id, number) ON CONFLICT DO NOTHING`,
    [ids],
  );
  const secrets = Array.from({ length: activeKeys }, newApiKey);
  const callers = {
    secrets,
    keys: secrets.map(() => randomUUID()),
    users: secrets.map((_, place) => ids[place % users] ?? busyUser),
  };
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest());
  const displays = secrets.map((secret) => `${secret.slice(0, 8)}…${secret.slice(-4)}`);
  await client.query(
    `INSERT INTO api_keys (id, user_id, name, key_hash, display, created_at, last_used_at)
     SELECT id, owner, 'key ' || number, hash, display, now() - interval '100 days', now() - random() * interval '1 day'
     FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) WITH ORDINALITY AS row (id, owner, hash, display, number)`,
    [callers.keys, callers.users, hashes, displays],
  );
  return callers;
}

/** All other data of a database after 90 days; `told` is called after each step. */
export async function seedGrowth(
  client: pg.Client,
  options: GrowthOptions,
  models: readonly string[],
  callers: Callers,
  reported: Reported,
): Promise<void> {
  const { keys, users } = callers;
  const [busyUser = ''] = users;
  await client.query(UNUSED_KEYS, [options.keys - keys.length, [...new Set(users)]]);
  reported(`${options.users} users, ${options.keys} keys`);
  await insertCalls(client, options.calls, models, callers, (done) => reported(`${done} calls`));
  await client.query(AUDIT, [options.auditEntries, busyUser]);
  reported(`${options.auditEntries} audit entries`);
  await client.query(IDEMPOTENT, [options.idempotentCalls, keys]);
  await client.query(RECENT_ERRORS, [keys, users]);
  reported(`${options.idempotentCalls} answers stored for Idempotency-Keys`);
  await client.query('VACUUM ANALYZE');
}

/** $1: count; $2: owner. */
const UNUSED_KEYS = `
  INSERT INTO api_keys (id, user_id, name, key_hash, display, created_at, expires_at, revoked_at)
  SELECT id, ($2::uuid[])[1 + number % cardinality($2::uuid[])], 'unused ' || number, sha256(id::text::bytea),
    'svc_seed…' || right(id::text, 4), now() - random() * interval '400 days',
    CASE WHEN number % 10 = 0 THEN now() + (random() - 0.2) * interval '90 days' END,
    CASE WHEN number % 20 = 1 THEN now() - random() * interval '30 days' END
  FROM (SELECT gen_random_uuid() AS id, number FROM generate_series(0, $1::int - 1) AS number) AS key`;

/** $1: count; $2: actor. */
const AUDIT = `
  INSERT INTO audit_log (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, before, after, address)
  SELECT now() - ($1::int - number) * (interval '90 days' / $1::int), 'user', $2, 'member@localhost',
    (ARRAY['key.create', 'key.revoke', 'key.update', 'user.sign_in', 'user.update'])[1 + number % 5], 'key',
    gen_random_uuid()::text, 'key ' || number, '{"name": "before"}', '{"name": "after"}', '127.0.0.1'
  FROM generate_series(1, $1::int) AS number`;

/** $1: count; $2: keys. */
const IDEMPOTENT = `
  INSERT INTO idempotent_calls (key_id, key_hash, request_hash, call_id, instance_id, status, answer, expires_at)
  SELECT ($2::uuid[])[1 + number % cardinality($2::uuid[])], sha256(number::text::bytea), sha256(number::text::bytea),
    'chatcmpl-kept' || number, 1, 'kept', convert_to(repeat('x', 200), 'UTF8'), now() + random() * interval '24 hours'
  FROM generate_series(1, $1::int) AS number`;

/** $1, $2: keys and their owners, without the first owner, who must have none. */
const RECENT_ERRORS = `
  INSERT INTO recent_errors (at, request_id, key_id, user_id, model, asked_model, status, code, message)
  SELECT now() - number * interval '1 minute', 'req_seed' || number, key_id, user_id, 'gpt-6-luna', 'gpt-6-luna', 429,
    'rate_limit_exceeded', 'Too many requests.'
  FROM (
    SELECT row_number() OVER () AS number, key_id, user_id
    FROM unnest($1::uuid[], $2::uuid[]) AS owner (key_id, user_id) WHERE user_id <> ($2::uuid[])[1] LIMIT 1000
  ) AS refused`;

/** The console's users. */
export interface People {
  admin: SignedIn;
  member: SignedIn;
}

/** Users and callers: later runs on the same database need their cookies and keys. */
export interface GrowthSetting {
  people: People;
  callers: Callers;
}

/** In the bench's own database, beside the gateway's tables. */
export async function keepSetting(client: pg.Client, setting: GrowthSetting): Promise<void> {
  await client.query('CREATE TABLE bench_setting (setting jsonb NOT NULL)');
  await client.query('INSERT INTO bench_setting VALUES ($1)', [JSON.stringify(setting)]);
}

/** Null in a new database. */
export async function storedSetting(client: pg.Client): Promise<GrowthSetting | null> {
  const { rows } = await client.query("SELECT to_regclass('bench_setting') IS NOT NULL AS exists");
  if (!rows[0]?.exists) return null;
  return (await client.query<{ setting: GrowthSetting }>('SELECT setting FROM bench_setting')).rows[0]?.setting ?? null;
}
