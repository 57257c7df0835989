import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UsageLedgerService } from '../src/ledger/usage-ledger.service.js';
import { UsageRollupsService } from '../src/usage/rollups/usage-rollups.service.js';
import { UsageRequestsService } from '../src/usage/usage-requests.service.js';
import { ConsoleClient, firstBytes } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { createPartitions } from './support/ledger-partitions.js';
import { closedCall, openCall } from './support/test-calls.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const DAY = 'from=2026-03-29T00:00:00Z&to=2026-03-30T00:00:00Z';
const FORMULA = '=HYPERLINK("http://evil.example","click")';

describe('the usage of a console', () => {
  let gateway: TestGateway;
  let admin: ConsoleClient;
  let member: ConsoleClient;
  let other: TestUser;
  let ownKey: string;
  let ownCall: string;
  let foreignCall: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    admin = await ConsoleClient.as(gateway, 'admin');
    member = await ConsoleClient.as(gateway, 'member');
    other = await gateway.createUser({ name: 'theirs' });
    const { body: created } = await member.post('/api/keys', { name: FORMULA });
    ownKey = created.id;
    const mine = { keyId: ownKey, userId: member.user.id };
    const theirs = { keyId: other.key.id, userId: other.id };
    ownCall = await call({ ...mine, startedAt: new Date('2026-03-29T00:30:00Z'), model: 'model-a' });
    await call({ ...mine, startedAt: new Date('2026-03-29T10:00:00Z'), model: 'model-b' }, { status: 'failed' });
    foreignCall = await call({ ...theirs, startedAt: new Date('2026-03-29T22:30:00Z'), model: 'model-a' });
    await gateway.services.get(UsageRollupsService).rollUp();
    const running = openCall({ ...mine, startedAt: new Date('2026-03-29T11:00:00Z'), model: 'model-a' });
    await gateway.services.get(UsageLedgerService).open(running);
    await createPartitions(gateway.database, new Date('2026-01-01'), new Date('2026-02-28'));
  });

  async function call(open: Parameters<typeof openCall>[0], closed: Parameters<typeof closedCall>[1] = {}) {
    const row = openCall(open);
    await gateway.services.get(UsageLedgerService).close(closedCall(row, closed));
    return row.id;
  }
  const insertCalls = (startedAt: string, many: number) =>
    gateway.database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status, price_version)
       SELECT 'chatcmpl-' || ${many} || n, ${startedAt}, 1, 'r', $1, $2, 'free', 'm', false, 'settled', 'v'
       FROM generate_series(1, ${many}) AS n`,
      [ownKey, member.user.id],
    );
  const report = async (client: ConsoleClient, query: string) => {
    const { status, body } = await client.get(`/api/usage?${DAY}&${query}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body;
  };
  const refusal = async (client: ConsoleClient, path: string) => {
    const { status, body } = await client.get(path);
    return { status, param: body.error.param, code: body.error.code };
  };

  it('returns totals, groups and hours in one reply', async () => {
    const body = await report(member, 'groupBy=model&compare=true');
    expect(body).toMatchObject({
      zone: 'UTC',
      granularity: 'hour',
      from: '2026-03-29T00:00:00.000Z',
      to: '2026-03-30T00:00:00.000Z',
      totals: {
        requests: 3,
        running: 1,
        errors: 1,
        inputTokens: 22,
        cachedTokens: 10,
        outputTokens: 6,
        reasoningTokens: 2,
        costNanodollars: '2468',
        costUsd: 0.000002468,
      },
      previous: { requests: 0, costNanodollars: '0', p50TotalMs: null },
      groups: [
        { id: 'model-a', label: 'model-a', hasSeries: true, totals: { requests: 2 } },
        { id: 'model-b', label: 'model-b', hasSeries: true, totals: { requests: 1, errors: 1 } },
      ],
    });
    expect(body.totals.p50TotalMs).toBeGreaterThanOrEqual(21 * 0.95);
    expect(body.totals.p50TotalMs).toBeLessThanOrEqual(21 * 1.05);
    expect(Math.abs(Date.parse(body.upToDateAt) - Date.now())).toBeLessThan(60_000);
    expect(body.series).toHaveLength(24);
    expect(body.series[0].groups).toMatchObject({ 'model-a': { requests: 1 } });
    expect(body.series[10].groups).toMatchObject({ 'model-b': { requests: 1 } });
    expect(body.series[12].groups).toEqual({});
  });

  it('gives separate series to the largest groups, and one to all others', async () => {
    const person = { keyId: other.key.id, userId: other.id };
    for (let n = 1; n <= 12; n++) {
      const model = `ranked-${String(n).padStart(2, '0')}`;
      const many = Array.from({ length: n === 12 ? 1 : 2 }, (_, at) => new Date(`2026-04-02T0${at}:00:00Z`));
      for (const startedAt of many) {
        await call({ ...person, startedAt, model }, { costNanodollars: BigInt(n === 12 ? 5000 : n) });
      }
    }
    await gateway.services.get(UsageRollupsService).rollUp();
    const range = 'from=2026-04-02T00:00:00Z&to=2026-04-03T00:00:00Z&granularity=day&groupBy=model&scope=all';
    const { body } = await admin.get(`/api/usage?${range}&rankBy=costNanodollars`);
    const [first] = body.groups;
    expect(first).toMatchObject({ id: 'ranked-12', hasSeries: true, totals: { costNanodollars: '5000' } });
    expect(body.groups.filter(({ hasSeries }: { hasSeries: boolean }) => !hasSeries)).toMatchObject([
      { id: 'ranked-02' },
      { id: 'ranked-01' },
    ]);
    const [{ groups }] = body.series;
    expect(groups['ranked-12']).toMatchObject({ costNanodollars: '5000' });
    expect(groups['~other']).toMatchObject({ costNanodollars: '6', requests: 4 });
    const byRequests = (await admin.get(`/api/usage?${range}`)).body.groups;
    expect(byRequests.at(-1)).toMatchObject({ id: 'ranked-12', hasSeries: false });
    expect(await refusal(admin, `/api/usage?${range}&rankBy=luck`)).toMatchObject({ status: 400, param: 'rankBy' });
  });

  it('splits days by the time zone, including clock changes', async () => {
    const query = `from=2026-03-28T23:00:00Z&to=2026-03-30T22:00:00Z&zone=Europe/Berlin&granularity=day&groupBy=model&scope=all`;
    const { body } = await admin.get(`/api/usage?${query}`);
    expect(body.series.map(({ start }: { start: string }) => start)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    const requests = body.series.map(({ groups }: { groups: Record<string, { requests: number }> }) =>
      Object.values(groups).reduce((sum, one) => sum + one.requests, 0),
    );
    expect(requests).toEqual([3, 1]);
  });

  it('names keys and users, those of others only for an admin', async () => {
    const own = await report(member, 'groupBy=key');
    expect(own.groups).toEqual([expect.objectContaining({ id: ownKey, label: FORMULA })]);
    const all = await report(admin, 'groupBy=user&scope=all');
    expect(all.groups.map(({ label }: { label: string }) => label)).toEqual([member.user.email, other.email]);
    expect((await report(admin, 'groupBy=user')).groups).toEqual([]);
    expect((await report(member, `keys=${other.key.id}`)).totals.requests).toBe(0);
  });

  it('repeats only zone and granularity of the request', async () => {
    const body = await report(member, 'groupBy=model&statuses=failed');
    const of = ['from', 'to', 'zone', 'granularity', 'upToDateAt', 'replicaLagSeconds'];
    const sums = ['totals', 'previous', 'groups', 'groupsLeftOut', 'others', 'series', 'unpricedCalls', 'unchargedUsd'];
    const names = [...of, ...sums];
    expect(Object.keys(body).sort()).toEqual(names.sort());
  });

  it.each(['groupBy=user', 'groupBy=upstream', 'scope=all', 'users=7e0cbf0e-0df4-4b9b-9f5e-5a3a0c2a2a11'])(
    "rejects a member's request for %s",
    async (query) => {
      expect(await refusal(member, `/api/usage?${DAY}&${query}`)).toMatchObject({ status: 403, code: 'admin_only' });
    },
  );

  it.each([
    ['zone=Mars/Olympus', 'zone'],
    ['groupBy=colour', 'groupBy'],
    ['keys=not-an-id', 'keys'],
    ['statuses=well', 'statuses'],
    ['to=2026-03-28T00:00:00Z', 'to'],
    ['granularity=hour&to=2027-03-28T00:00:00Z', 'granularity'],
    ['colour=red', 'colour'],
  ])('names the error in %s', async (query, param) => {
    const requested = new URLSearchParams(DAY);
    for (const [name, value] of new URLSearchParams(query)) requested.set(name, value);
    expect(await refusal(member, `/api/usage?${requested}`)).toEqual({ status: 400, param, code: 'invalid_value' });
  });

  it('lists calls newest first, page by page, including running ones', async () => {
    const first = await member.get(`/api/usage/calls?${DAY}&limit=2`);
    expect(first.body.items.map(({ status, model }: Record<string, string>) => `${status} ${model}`)).toEqual([
      'open model-a',
      'failed model-b',
    ]);
    const second = await member.get(`/api/usage/calls?${DAY}&limit=2&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({
      items: [{ id: ownCall, keyName: FORMULA, costNanodollars: '1234' }],
      next: null,
    });
    expect(await refusal(member, `/api/usage/calls?${DAY}&cursor=nonsense`)).toMatchObject({
      status: 400,
      param: 'cursor',
    });
    for (const instant of [
      '2026-02-30 10:00:00+00',
      '2026-03-01 24:00:00+00',
      '2026-03-01 10:00:00+99',
      '0000-01-01 10:00:00+00',
    ]) {
      const cursor = Buffer.from(`${instant}|chatcmpl-x`).toString('base64url');
      expect(await refusal(member, `/api/usage/calls?${DAY}&cursor=${cursor}`)).toMatchObject({
        status: 400,
        param: 'cursor',
      });
    }
    expect((await admin.get(`/api/usage/calls?${DAY}&scope=all`)).body.items).toHaveLength(4);
    expect((await admin.get(`/api/usage/calls?${DAY}&scope=all&statuses=failed`)).body.items).toHaveLength(1);
  });

  it("shows a call with its attempts, and reports others' calls as not found", async () => {
    expect((await member.get(`/api/usage/calls/${ownCall}`)).body).toMatchObject({
      id: ownCall,
      planId: 'free',
      attempts: [{ upstream: 'openai', startMs: 1, ms: 20, outcome: 'ok', status: 200 }],
    });
    const [foreign, unknown] = [
      await member.get(`/api/usage/calls/${foreignCall}`),
      await member.get('/api/usage/calls/chatcmpl-unknown'),
    ];
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    expect((await admin.get(`/api/usage/calls/${foreignCall}`)).status).toBe(200);
  });

  it('exports every call as CSV, with UTC times and without formulas', async () => {
    const { headers, body } = await member.get(`/api/usage/export?${DAY}&kind=calls&format=csv`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await firstBytes(member, `/api/usage/export?${DAY}&kind=calls&format=csv`)).toBe('efbbbf');
    expect(headers.get('content-disposition')).toBe('attachment; filename=usage-calls-2026-03-29.csv');
    expect(headers.get('cache-control')).toBe('private, no-store');
    const lines = String(body).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^startedAt,id,requestId,keyId,keyName,/);
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/^2026-03-29T00:30:00.000Z,chatcmpl-/);
    expect(lines[3]).toContain(`"'=HYPERLINK(""http://evil.example"",""click"")"`);
  });

  it('exports the report as JSON, with every group', async () => {
    const { body } = await admin.get(
      `/api/usage/export?${DAY}&kind=report&format=json&groupBy=key&scope=all&granularity=day`,
    );
    expect(body).toHaveLength(2);
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          start: '2026-03-29T00:00:00.000Z',
          group: ownKey,
          label: FORMULA,
          requests: 3,
          running: 1,
        }),
        expect.objectContaining({ group: other.key.id, label: 'theirs', requests: 1 }),
      ]),
    );
    const none = await member.get(
      '/api/usage/export?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&kind=calls&format=json',
    );
    expect(none.body).toEqual([]);
  });

  it('exports the sums by project, model and user at once, with the day in the time zone of the report', async () => {
    const span = 'from=2026-03-28T23:00:00Z&to=2026-03-29T22:00:00Z&zone=Europe/Berlin';
    const query = `${span}&kind=report&format=json&groups=project,model,user&scope=all&granularity=month`;
    const { body, headers } = await admin.get(`/api/usage/export?${query}`);
    expect(headers.get('content-disposition')).toBe('attachment; filename=usage-report-2026-03-29.json');
    const { body: byUser } = await admin.get(
      `/api/usage/export?${span}&kind=report&format=json&groupBy=user&scope=all&granularity=month`,
    );
    type Row = { userId: string; requests: number; costNanodollars: string };
    for (const { userId, requests } of byUser as Row[]) {
      const rows = (body as Row[]).filter((row) => row.userId === userId);
      expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(requests);
    }
    expect(body.length).toBeGreaterThan(byUser.length);
    expect(body[0]).toMatchObject({
      start: '2026-03-28T23:00:00.000Z',
      localStart: '2026-03-29 00:00',
      zone: 'Europe/Berlin',
      groupBy: 'project,model,user',
      projectId: '~none',
      projectName: 'No project',
      model: expect.any(String),
      userName: expect.any(String),
    });
    expect((await member.get(`/api/usage/export?${query.replace('all', 'mine')}`)).status).toBe(403);
  });

  it('exports many pages without losing or repeating calls', async () => {
    await insertCalls("timestamptz '2026-02-01Z' + (n / 7) * interval '1 ms'", 5003);
    const query = 'from=2026-02-01T00:00:00Z&to=2026-02-02T00:00:00Z&kind=calls';
    const lines = String((await member.get(`/api/usage/export?${query}&format=csv`)).body)
      .trimEnd()
      .split('\r\n');
    expect(new Set(lines).size).toBe(5004);
  });

  it('stops reading when the client of a file disconnects', async () => {
    const rows = 200_000;
    await insertCalls("timestamptz '2026-01-01Z' + n * interval '1 s'", rows);
    const ledger = gateway.services.get(UsageRequestsService);
    const all = ledger.all.bind(ledger);
    let batches = 0;
    let hasEnded = false;
    jest.spyOn(ledger, 'all').mockImplementationOnce(async function* (filter) {
      try {
        for await (const batch of all(filter)) {
          batches++;
          yield batch;
        }
      } finally {
        hasEnded = true;
      }
    });
    const leaving = new AbortController();
    const query = 'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&kind=calls&format=json';
    const response = await fetch(`${gateway.url}/api/usage/export?${query}`, {
      headers: { cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    await eventually(() => hasEnded);
    // Those 36 MB that the system's buffers may take are a third of the file.
    expect(batches).toBeGreaterThan(0);
    expect(batches).toBeLessThan(rows / 1000);
    expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
