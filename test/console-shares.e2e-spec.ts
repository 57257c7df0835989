import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { completion } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { longestTurnHere, slownessHere } from './support/longest-turn.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const REPORT = '/api/usage?from=2026-11-01T00:00:00Z&to=2026-11-20T00:00:00Z&groupBy=key';
const HISTOGRAM = '/api/usage/calls/histogram?to=2026-11-20T00:00:00Z&zone=Europe/Berlin';

const upstream = await ScriptedUpstream.start();
upstream.always(() => completion());
const gateway = await TestGateway.start({ env: { OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' } });
const member = await ConsoleClient.as(gateway, 'member');
const other = await ConsoleClient.as(gateway, 'member');

/** No report can be read to its end meanwhile. */
const whileReportsHang = (work: () => Promise<void>) => whileLocked('usage_rollup_state', work);

async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: gateway.database.url });
  await client.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${table}`);
    await work();
  } finally {
    await client.end();
  }
}

describe('a member who asks for many reports at once', () => {
  it('leaves calls their connections to the database', async () => {
    const user = await gateway.createUser();
    let reports: Promise<unknown>[] = [];
    await whileReportsHang(async () => {
      reports = Array.from({ length: 60 }, () => member.get(REPORT));
      await sleep(3000);
      const { status } = await gateway.complete(user, {
        model: 'gpt-6-luna',
        messages: [{ role: 'user', content: 'Hi' }],
      });
      expect(status).toBe(200);
      expect((await gateway.get('/health/ready')).status).toBe(200);
      expect((await other.get('/api/account')).status).toBe(200);
    });
    await Promise.all(reports);
  });

  it('is served after the others are answered, and refused when more than a hundred wait', async () => {
    let reports: Promise<{ status: number }>[] = [];
    await whileReportsHang(async () => {
      reports = Array.from({ length: 110 }, () => member.get(REPORT));
      const refused = await Promise.race(reports);
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
    });
    const statuses = (await Promise.all(reports)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(104);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  });
});

describe('a caller who asks for many records of calls at once', () => {
  it('leaves other callers their connections to the database', async () => {
    const [busy, user] = [await gateway.createUser(), await gateway.createUser()];
    let records: Promise<Response>[] = [];
    await whileLocked('usage_calls', async () => {
      records = Array.from({ length: 110 }, () => gateway.get('/v1/requests/req_1', busy.headers));
      await sleep(1000);
      expect((await gateway.get('/v1/models', user.headers)).status).toBe(200);
    });
    const statuses = (await Promise.all(records)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(104);
  });
});

describe('people who are not signed in', () => {
  it('leave callers their connections to the database, however many sessions they make up', async () => {
    const user = await gateway.createUser();
    let requested: Promise<Response>[] = [];
    await whileLocked('sessions', async () => {
      requested = Array.from({ length: 60 }, (_, at) =>
        gateway.get('/api/session', { cookie: `gateway_session=${at}` }),
      );
      await sleep(1000);
      expect((await gateway.get('/v1/models', user.headers)).status).toBe(200);
    });
    for (const { status } of await Promise.all(requested)) expect(status).toBe(200);
  });

  it('leave callers their connections, however many passwords they guess', async () => {
    const user = await gateway.createUser();
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' });
    const guess = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    let requested: Promise<Response>[] = [];
    await whileLocked('sign_in_limits', async () => {
      requested = Array.from({ length: 60 }, () => fetch(`${gateway.url}/api/session`, guess));
      await sleep(1000);
      expect((await gateway.get('/v1/models', user.headers)).status).toBe(200);
    });
    for (const { status } of await Promise.all(requested)) expect([401, 429]).toContain(status);
  });
});

describe('a histogram', () => {
  it('covers at most ten years, as a report does', async () => {
    expect(await member.get(`${HISTOGRAM}&from=1926-01-01T00:00:00Z`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_value', param: 'from', message: 'A histogram covers at most 3700 days.' } },
    });
  });

  it('holds the event loop only briefly for ten years', async () => {
    const turn = await longestTurnHere({ times: 5, enough: 50 * slownessHere() }, async () => {
      expect((await member.get(`${HISTOGRAM}&from=2016-11-20T00:00:00Z`)).status).toBe(200);
    });
    expect(turn).toBeLessThan(50 * slownessHere());
  });
});
