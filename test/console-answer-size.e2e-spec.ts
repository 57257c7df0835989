import { describe, expect, it } from '@jest/globals';
import { UsageRollupsService } from '../src/usage/rollups/usage-rollups.service.js';
import { ConsoleClient } from './support/console-client.js';
import { createPartitions } from './support/ledger-partitions.js';
import { TestGateway } from './support/test-gateway.js';

const MB = 1_000_000;
const DAY_MS = 86_400_000;
/** Files are streamed, sign-on sends a browser elsewhere, payments are off, and no content is stored. */
const NO_ANSWERS = /\/export$|^\/api\/apply$|^\/api\/oidc\/(start|callback)$|^\/api\/payments$|\/content$/;

/** Rows of every kind, more than anybody would read, and long where they may be. */
const gateway = await TestGateway.start();
const admin = await ConsoleClient.as(gateway, 'admin');
const { query } = gateway.database;
await query(
  `INSERT INTO users (email, name, kind, password_hash, created_at)
   SELECT 'user-' || n || '@example.com', repeat('n', 100), CASE WHEN n > 3000 THEN 'service' ELSE 'person' END, NULL, now()
   FROM generate_series(1, 5000) AS n`,
);
await query(
  `INSERT INTO one_time_links (token_hash, user_id, expires_at)
   SELECT sha256(id::text::bytea), id, now() + interval '1 day' FROM users WHERE kind = 'person' AND name <> ''`,
);
await query(`INSERT INTO plan_grants (user_id, plan_id, source) SELECT id, 'pro', 'console' FROM users`);
const longAddresses = "array_agg('2001:db8:0:0:' || i || ':' || i || ':0:0/96')";
await query(
  `INSERT INTO api_keys (user_id, name, note, display, key_hash, models, addresses, bound_models, bound_addresses)
   SELECT CASE WHEN n % 2 = 0 THEN $1 ELSE u.id END, repeat('k', 90) || n, repeat('x', 500), 'svc_ab12…9xYz',
     sha256(n::text::bytea), many.models, many.addresses, many.models, many.addresses
   FROM generate_series(1, 5000) AS n JOIN users AS u ON u.email = 'user-' || n || '@example.com',
     (SELECT array_agg('some-model-of-a-provider-' || i) AS models, ${longAddresses} AS addresses
      FROM generate_series(1, 200) AS i) AS many`,
  [admin.user.id],
);
await query(
  `INSERT INTO audit_log (actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, before, after)
   SELECT 'user', $1, 'admin@example.com', 'key.update', 'key', n::text, repeat('k', 100), long.models, long.models
   FROM generate_series(1, 5000) AS n, (SELECT jsonb_build_object('models', jsonb_agg('model-' || repeat('m', 150) || i))
     AS models FROM generate_series(1, 200) AS i) AS long`,
  [admin.user.id],
);
await query(
  `INSERT INTO sessions (token_hash, user_id, method, user_agent, expires_at)
   SELECT sha256(n::text::bytea), $1, 'password', repeat('a', 300), now() + interval '1 day'
   FROM generate_series(1, 5000) AS n`,
  [admin.user.id],
);
await createPartitions(gateway.database, new Date(Date.now() - 100 * DAY_MS), new Date());
await query(
  `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
     price_version, cost_nanodollars, total_ms, first_token_ms, input_tokens, output_tokens)
   SELECT 'chatcmpl-' || n, now() - n * interval '25 minutes', 1, 'r', k.id, k.user_id, 'free', 'model-' || n % 20, false,
     'settled', 'v', 123456789, 1234, 234, 123456, 12345
   FROM (SELECT id, user_id, row_number() OVER () AS n FROM api_keys) AS k`,
);
// Each with a cause of its own: words with digits do not count.
await query(
  `UPDATE usage_calls SET status = 'failed', error_code = 'upstream_error', upstream = 'openai',
     attempts = jsonb_build_array(jsonb_build_object('status', 500, 'message',
       repeat('m', 400) || translate(md5(id), '0123456789', 'ghijklmnop')))
   WHERE id LIKE '%7'`,
);
await query(
  `INSERT INTO recent_errors (at, request_id, key_id, user_id, model, status, code, message)
   SELECT now(), 'r', id, user_id, 'm', 400, 'x', repeat('m', 500) FROM api_keys`,
);
await gateway.services.get(UsageRollupsService).rollUp();

/** Everything that the console's API has to read, as its description says. */
async function addresses(): Promise<string[]> {
  const { body } = await admin.get('/docs/openapi.json');
  const paths: Record<string, Record<string, unknown>> = body.paths;
  const read = Object.keys(paths).filter((path) => path.startsWith('/api/') && 'get' in (paths[path] ?? {}));
  const [key] = (await admin.get('/api/keys')).body.items;
  const { body: project } = await admin.post('/api/projects', { name: 'Search' });
  const { body: token } = await admin.post('/api/tokens', { name: 'test', scopes: ['usage.read'] });
  const accounts = `/api/projects/${project.id}/service-accounts`;
  const { body: account } = await admin.post(accounts, { name: 'crawler' });
  await admin.put(`/api/projects/${project.id}/members/${admin.user.id}`, { role: 'member' });
  const [call] = await gateway.database.query<{ id: string }>('SELECT id FROM usage_calls LIMIT 1');
  const ids: Record<string, string> = {
    keys: key.id,
    users: admin.user.id,
    plans: 'pro',
    calls: call?.id ?? '',
    projects: project.id,
    tokens: token.id,
  };
  return read
    .filter((path) => !NO_ANSWERS.test(path))
    .map((path) => path.replace('{kind}/{id}', `key/${ids.keys}`))
    .map((path) => path.replace(/(\w+)\/\{id\}/, (_, kind: string) => `${kind}/${ids[kind]}`))
    .map((path) => path.replace('{userId}', admin.user.id).replace('{accountId}', account.id));
}

const from = new Date(Date.now() - 90 * 86_400_000).toISOString();
const during = `from=${from}&to=${new Date().toISOString()}`;
/** What lists and reports can be asked for at most. */
const LONGEST: Record<string, readonly string[]> = {
  '/api/keys': ['', 'limit=200', 'scope=all&limit=200&q=k', 'scope=all&limit=200&sort=-spent'],
  '/api/tokens': ['', 'scope=all&limit=200&q=t'],
  '/api/users': ['', 'limit=200', 'limit=200&q=user&sort=-keys'],
  '/api/plans/pro/holders': ['', 'limit=200'],
  '/api/overview': ['', 'scope=all'],
  '/api/usage/groups': ['key', 'user'].map((groupBy) => `${during}&scope=all&groupBy=${groupBy}&page=2`),
  '/api/usage/calls': [`${during}&scope=all&limit=200`, `${during}&scope=all&limit=200&statuses=refused`],
  '/api/usage/errors': [`${during}&scope=all`],
  '/api/usage/calls/histogram': [`${during}&scope=all`, `${during}&scope=all&minMs=1`],
  '/api/usage/calls/facets': ['status', 'model', 'upstream', 'key', 'user', 'project', 'api', 'cost'].map(
    (of) => `${during}&scope=all&of=${of}`,
  ),
  '/api/usage': ['model', 'key', 'user', 'status', 'none'].flatMap((groupBy) => [
    `${during}&scope=all&groupBy=${groupBy}&granularity=hour&compare=true`,
    `${during}&scope=all&groupBy=${groupBy}&granularity=day`,
  ]),
};

describe('an answer of the console’s API', () => {
  it('has less than a megabyte, regardless of the request and the amount of data', async () => {
    const requested = (await addresses()).flatMap((path) => (LONGEST[path] ?? ['']).map((query) => `${path}?${query}`));
    expect(requested.length).toBeGreaterThan(30);
    const sizes: [string, number, boolean][] = [];
    for (const address of requested) {
      const { status, body } = await admin.get(address);
      sizes.push([address, status, JSON.stringify(body).length < MB]);
    }
    expect(sizes).toEqual(requested.map((address) => [address, 200, true]));
  }, 120_000);

  it('continues without a gap where a page was cut because of its size', async () => {
    for (const path of ['/api/keys?scope=all&limit=200', '/api/audit?action=key.update']) {
      const { body: first } = await admin.get(path);
      expect(first.items.length).toBeLessThan(50);
      const { body: second } = await admin.get(`${path}&cursor=${first.next}`);
      const ids = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(second.items.length).toBeGreaterThan(0);
    }
  });

  it('counts the items that a page leaves out', async () => {
    expect((await admin.get('/api/keys?scope=all')).body.total).toEqual({ count: 5000, isExact: true });
    expect((await admin.get('/api/users?limit=1')).body.total).toEqual({ count: 5002, isExact: true });
    expect((await admin.get(`/api/usage?${during}&scope=all&groupBy=key`)).body.groupsLeftOut).toBe(4950);
  });
});
