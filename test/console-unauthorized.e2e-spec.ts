import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { newApiKey } from '../src/auth/api-key.secret.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello!' }] };

interface Row {
  id: string;
  status: string;
  httpStatus: number;
  keyId: string | null;
  keyDisplay: string | null;
  userId: string | null;
  requestId: string;
}

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
const admin = await ConsoleClient.as(gateway, 'admin');
const keys = gateway.services.get(ApiKeysService);

async function refused(authorization: string): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(HELLO),
  });
  expect(response.status).toBe(401);
  await response.text();
}

const span = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
});

async function list(client: ConsoleClient, query: Record<string, string> = {}): Promise<Row[]> {
  const { status, body } = await client.get(`/api/usage/calls?${new URLSearchParams({ ...span(), ...query })}`);
  expect(status).toBe(200);
  return body.items;
}

const ofAll = { scope: 'all', statuses: 'unauthorized' };

async function listedFor(user: TestUser): Promise<Row | undefined> {
  return (await list(admin, ofAll)).find(({ keyId }) => keyId === user.key.id);
}

describe('a call with a key that is not valid', () => {
  it('is listed for its key: disabled, expired, revoked, or replaced in a rotation', async () => {
    const [disabled, expired, revoked, rotated, replaced] = await Promise.all(
      Array.from({ length: 5 }, () => gateway.createUser()),
    );
    if (!disabled || !expired || !revoked || !rotated || !replaced) throw new Error('no users');
    await gateway.database.query('UPDATE api_keys SET disabled_at = now(), disabled_by = user_id WHERE id = $1', [
      disabled.key.id,
    ]);
    await gateway.database.query("UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE id = $1", [
      expired.key.id,
    ]);
    await keys.revoke({ id: revoked.key.id }, GATEWAY);
    await keys.rotate({ id: rotated.key.id }, 'none', GATEWAY);
    await keys.rotate({ id: replaced.key.id }, '1h', GATEWAY);
    await keys.revoke({ id: replaced.key.id }, GATEWAY);
    for (const user of [disabled, expired, revoked, rotated, replaced]) {
      await refused(user.headers.authorization);
      await eventually(async () => (await listedFor(user)) !== undefined);
      expect(await listedFor(user)).toMatchObject({
        status: 'refused',
        httpStatus: 401,
        userId: user.id,
        keyDisplay: `${user.headers.authorization.slice(7, 15)}…${user.headers.authorization.slice(-4)}`,
      });
    }
  });

  it('is listed only for administrators, with the display form of the sent secret, if no key has it', async () => {
    const secret = newApiKey();
    await refused(`Bearer ${secret}`);
    const display = `${secret.slice(0, 8)}…${secret.slice(-4)}`;
    const found = async () => (await list(admin, ofAll)).find(({ keyDisplay }) => keyDisplay === display);
    await eventually(async () => (await found()) !== undefined);
    expect(await found()).toMatchObject({ keyId: null, userId: null, keyName: 'Unknown key' });
    const member = await ConsoleClient.as(gateway, 'member');
    expect(await list(member)).toEqual([]);
    expect((await member.get(`/api/usage/calls/${(await found())?.id}`)).status).toBe(404);
    expect(JSON.stringify(await list(admin, ofAll))).not.toContain(secret.slice(8, 20));
  });

  it('does not show text that is not a key', async () => {
    await refused('Bearer sk-somebody-elses-secret');
    await refused('Basic dXNlcjpwYXNz');
    await eventually(async () => (await list(admin, ofAll)).filter(({ keyDisplay }) => keyDisplay === null).length > 1);
    expect(JSON.stringify(await list(admin, ofAll))).not.toMatch(/somebody|dXNlcj/);
  });

  it('is found by its request id', async () => {
    const [{ requestId, id } = { requestId: '', id: '' }] = await list(admin, ofAll);
    expect((await admin.get(`/api/usage/calls/${requestId}`)).body).toMatchObject({ id, requestId, httpStatus: 401 });
    expect((await admin.get('/api/usage/calls/req_none')).status).toBe(404);
  });
});

describe('refused requests', () => {
  it('are counted beside succeeded and failed ones: in totals, groups, series and files', async () => {
    const user = await gateway.createUser();
    await gateway.complete(user, HELLO).then((response) => response.text());
    for (let i = 0; i < 3; i++) {
      await gateway.complete(user, { ...HELLO, temperature: 17 }).then((response) => response.text());
    }
    const query = new URLSearchParams({ ...span(), scope: 'all', users: user.id, granularity: 'hour' });
    const report = async (more = '') => (await admin.get(`/api/usage?${query}${more}`)).body;
    await eventually(async () => (await report()).totals.refused === 3 && (await report()).totals.running === 0);
    expect((await report()).totals).toMatchObject({ requests: 1, succeeded: 0, simulated: 1, errors: 0, refused: 3 });
    for (const by of ['model', 'key', 'user', 'api']) {
      const { groups } = await report(`&groupBy=${by}&rankBy=refused`);
      expect([by, groups]).toMatchObject([by, [{ totals: { requests: 1, refused: 3 } }]]);
    }
    const byStatus = await report('&groupBy=status');
    expect(byStatus.groups).toMatchObject([
      { id: 'settled', totals: { requests: 1, refused: 0 } },
      { id: 'refused', totals: { requests: 0, refused: 3 } },
    ]);
    expect((await report('&statuses=refused')).totals).toMatchObject({ requests: 0, refused: 3 });
    expect((await report('&statuses=unauthorized')).totals).toMatchObject({ requests: 0, refused: 0 });
    expect((await report('&statuses=settled')).totals).toMatchObject({ requests: 1, refused: 0 });
    const { series } = await report();
    const ofSeries = series.flatMap(({ groups }: { groups: Record<string, { refused: number }> }) =>
      Object.values(groups).map(({ refused: counted }) => counted),
    );
    expect(ofSeries.reduce((sum: number, counted: number) => sum + counted, 0)).toBe(3);
    const file = (await admin.get(`/api/usage/export?${query}&kind=calls&format=json`)).body;
    expect(file.filter((row: Row) => row.status === 'refused')).toHaveLength(3);
    const { body } = await admin.get('/api/overview?scope=all');
    expect(body.today.totals.refused).toBeGreaterThanOrEqual(3);
  });

  it('have a bar in the histogram and a count at each filter', async () => {
    const { body: histogram } = await admin.get(
      `/api/usage/calls/histogram?${new URLSearchParams({ ...span(), scope: 'all' })}`,
    );
    const total = (name: string) =>
      histogram.bars.reduce((sum: number, bar: Record<string, number>) => sum + Number(bar[name]), 0);
    expect(histogram).toMatchObject({ step: 'hour', newest: null });
    expect([total('succeeded'), total('failed')]).toEqual([1, 0]);
    expect(total('refused')).toBeGreaterThanOrEqual(11);
    const facet = async (of: string, more: Record<string, string> = {}) =>
      (await admin.get(`/api/usage/calls/facets?${new URLSearchParams({ ...span(), scope: 'all', of, ...more })}`))
        .body;
    expect((await facet('status')).options).toEqual(
      expect.arrayContaining([
        { id: 'settled', label: 'settled', detail: null, count: 1 },
        { id: 'unauthorized', label: 'unauthorized', detail: null, count: total('refused') - 3 },
      ]),
    );
    expect((await facet('model')).options).toMatchObject([{ id: 'gpt-6-luna', count: 4 }]);
    expect((await facet('key')).options[0]).toMatchObject({ count: 4 });
    expect((await facet('stream')).options).toMatchObject([{ id: 'false', count: 1 }]);
    expect((await facet('model', { minMs: '3600000' })).options).toEqual([]);
    expect((await facet('project')).options).toEqual([]);
  });
});

describe('requests of a project', () => {
  it('are those of its users, in the list, its counts and the report', async () => {
    const user = await gateway.createUser();
    const [{ id: project } = { id: '' }] = await gateway.database.query<{ id: string }>(
      "INSERT INTO projects (name) VALUES ('Search') RETURNING id",
    );
    await gateway.database.query("UPDATE users SET project_id = $1, kind = 'service' WHERE id = $2", [
      project,
      user.id,
    ]);
    await gateway.complete(user, HELLO).then((response) => response.text());
    await gateway.complete(user, { ...HELLO, temperature: 17 }).then((response) => response.text());
    const query = { scope: 'all', projects: project };
    await eventually(async () => (await list(admin, query)).length === 2);
    expect(new Set((await list(admin, query)).map(({ userId }) => userId))).toEqual(new Set([user.id]));
    const requested = new URLSearchParams({ ...span(), ...query });
    expect((await admin.get(`/api/usage?${requested}`)).body.totals).toMatchObject({ requests: 1, refused: 1 });
    const { body } = await admin.get(`/api/usage/calls/facets?${requested}&of=project`);
    expect(body.options).toEqual([{ id: project, label: 'Search', detail: null, count: 2 }]);
    const none = { scope: 'all', projects: '00000000-0000-4000-8000-000000000000' };
    expect(await list(admin, none)).toEqual([]);
    const member = await ConsoleClient.as(gateway, 'member');
    const refusedQuery = new URLSearchParams({ ...span(), projects: project });
    expect((await member.get(`/api/usage/calls?${refusedQuery}`)).status).toBe(404);
  });
});

describe('conditions on single requests', () => {
  it('filter the list, its histogram and its export, and are refused if they are not numbers', async () => {
    const requested = { scope: 'all', stream: 'false' };
    const all = await list(admin, { scope: 'all', statuses: 'settled' });
    expect((await list(admin, requested)).length).toBe(all.length);
    expect(await list(admin, { scope: 'all', stream: 'true' })).toEqual([]);
    expect(await list(admin, { scope: 'all', minCostUsd: '0.01' })).toEqual([]);
    const query = new URLSearchParams({ ...span(), scope: 'all', minMs: '3600000' });
    const { body } = await admin.get(`/api/usage/calls/histogram?${query}`);
    expect(body.bars.every(({ succeeded }: { succeeded: number }) => succeeded === 0)).toBe(true);
    expect((await admin.get(`/api/usage/export?${query}&kind=calls&format=json`)).body).toEqual([]);
    expect((await admin.get(`/api/usage/calls?${query}&minCostUsd=much`)).status).toBe(400);
  });
});
