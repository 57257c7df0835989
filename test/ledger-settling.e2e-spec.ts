import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { serviceUnavailable } from '../src/common/gateway.error.js';
import { ActiveCallsService } from '../src/completions/active-calls.service.js';
import { RouterService } from '../src/completions/routing/router.service.js';
import { UsageLedgerService } from '../src/ledger/usage-ledger.service.js';
import { answerTo, completion, stream } from './support/chat-answers.js';
import { eventually } from './support/eventually.js';
import { schemaFaults } from './support/openai-schema.js';
import { gate, json } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { StreamReader } from './support/stream-reader.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Say hello.' }] };

describe('the ledger and the end of an answer', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;
  let locker: pg.Client;

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    gateway = await TestGateway.start({
      // Without a journal, which would let the answers go out.
      env: { DATA_DIR: '/dev/null/data', OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' },
    });
    user = await gateway.createUser();
    upstream.always((request) => answerTo(request));
    locker = new pg.Client({ connectionString: gateway.database.url });
    await locker.connect();
  });
  afterAll(async () => {
    await locker?.end();
  });

  const statusOf = async (column: 'id' | 'request_id', value: unknown) => {
    const rows = await gateway.database.query<{ status: string }>(
      `SELECT status FROM usage_calls WHERE ${column} = $1`,
      [value],
    );
    return rows.map(({ status }) => status);
  };
  const errorOf = async (requestId: string | null) => {
    const [row] = await gateway.database.query('SELECT error_code FROM usage_calls WHERE request_id = $1', [requestId]);
    return row?.error_code;
  };
  /** The number of clients that the gateway has seen disconnect. */
  const left = () => gateway.log.filter((line) => line.left).length;
  const settledLater = (response: Response) =>
    eventually(async () => (await statusOf('request_id', response.headers.get('x-request-id'))).includes('settled'));
  const expectUnavailable = async (response: Response) => {
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    const body = await response.json();
    expect(schemaFaults('error', body)).toEqual([]);
    expect(body).toMatchObject({ error: { code: 'service_unavailable', type: 'server_error' } });
  };

  it.each(['a\0', '\ud800', 'a\u0007'])(
    'no name that an upstream gives itself keeps a call from settling: %j',
    async (name) => {
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
      upstream.enqueue(
        json(200, { id: 'x', object: 'chat.completion', model: name, service_tier: name, choices, usage }),
      );
      const response = await gateway.complete(user, HELLO);
      expect(response.status).toBe(200);
      expect(await statusOf('request_id', response.headers.get('x-request-id'))).toEqual(['settled']);
    },
  );

  it('is settled when the client has a JSON answer, 150 times', async () => {
    for (let i = 0; i < 150; i++) {
      const { id } = (await (await gateway.complete(user, HELLO)).json()) as { id: string };
      expect(await statusOf('id', id)).toEqual(['settled']);
    }
  });

  it('is settled when the client sees `[DONE]`, 150 times', async () => {
    for (let i = 0; i < 150; i++) {
      const reader = new StreamReader(await gateway.complete(user, { ...HELLO, stream: true }));
      const { id } = JSON.parse((await reader.next()) ?? '');
      expect(await reader.until((event) => event === '[DONE]')).toBe('[DONE]');
      expect(await statusOf('id', id)).toEqual(['settled']);
    }
  });

  it('is settled with 32 concurrent clients, too', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 32 }, async (_, client) => {
        const seen: string[] = [];
        for (let i = 0; i < 10; i++) {
          const response = await gateway.complete(user, { ...HELLO, stream: client % 2 === 0 });
          await response.text();
          seen.push(...(await statusOf('request_id', response.headers.get('x-request-id'))));
        }
        return seen;
      }),
    );
    expect(statuses.flat()).toEqual(Array.from({ length: 320 }, () => 'settled'));
  });

  describe('when the ledger cannot be written for a while', () => {
    let requested: number;
    let json: Response;
    let streamed: Response;
    let events: string[];
    let refused: Response[];

    beforeAll(async () => {
      const { promise: locked, resolve: answer } = Promise.withResolvers<void>();
      upstream.always((request) => answerTo(request, gate(locked)));
      const running = upstream.requests.length + 2;
      const requesting = [gateway.complete(user, HELLO), gateway.complete(user, { ...HELLO, stream: true })] as const;
      await upstream.received(running);
      await locker.query('BEGIN; LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
      answer();
      const opening = [gateway.complete(user, HELLO), gateway.complete(user, { ...HELLO, stream: true })];
      [json, streamed] = await Promise.all(requesting);
      const reader = new StreamReader(streamed);
      await reader.until();
      events = reader.events;
      refused = await Promise.all(opening);
      requested = upstream.requests.length - running;
      await locker.query('ROLLBACK');
      upstream.always((request) => answerTo(request));
    });

    it('returns a 503 when the row cannot be opened, without calling the upstream', async () => {
      for (const response of refused) await expectUnavailable(response);
      expect(requested).toBe(0);
      for (const { headers } of refused) {
        expect(await statusOf('request_id', headers.get('x-request-id'))).toEqual([]);
      }
      await eventually(async () => {
        const [row] = await gateway.database.query(
          "SELECT sum(calls)::int AS calls FROM refused_calls WHERE code = 'service_unavailable'",
        );
        return row?.calls === refused.length;
      });
    });

    it('returns a 503 instead of a JSON answer whose row cannot be settled', () => expectUnavailable(json));

    it('sends the error event instead of `[DONE]` when the row cannot be settled', () => {
      expect(streamed.status).toBe(200);
      expect(events.some((event) => event.includes(' there!'))).toBe(true);
      expect(events).not.toContain('[DONE]');
      expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ error: { code: 'service_unavailable' } });
    });

    it('writes the settled rows as soon as possible, marked as undelivered', async () => {
      for (const response of [json, streamed]) {
        await settledLater(response);
        await eventually(async () => (await errorOf(response.headers.get('x-request-id'))) === 'undelivered');
      }
    });
  });

  it.each([false, true])(
    'records a client that disconnected while the row was closed (stream: %s)',
    async (isStream) => {
      const [requested, before] = [upstream.requests.length, left()];
      const leaving = new AbortController();
      const closing = jest.spyOn(gateway.services.get(UsageLedgerService), 'close');
      const { promise: locked, resolve: answer } = Promise.withResolvers<void>();
      upstream.enqueue(isStream ? stream(['Hello', gate(locked)]) : [gate(locked), completion()]);
      const requesting = gateway
        .complete(user, { ...HELLO, stream: isStream }, { signal: leaving.signal })
        .then((response) => response.text())
        .catch(() => undefined);
      await upstream.received(requested + 1);
      await locker.query('BEGIN; LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
      answer();
      await eventually(() => closing.mock.calls.length > 0);
      closing.mockRestore();
      leaving.abort();
      await requesting;
      await eventually(() => left() > before);
      await locker.query('ROLLBACK');
      await eventually(async () => {
        const [row] = await gateway.database.query('SELECT * FROM usage_calls ORDER BY started_at DESC LIMIT 1');
        return row?.status === 'settled' && row.error_code === 'undelivered';
      });
    },
  );

  it('has a failed row, and no rejection in addition, for a call that is cut off while its row opens', async () => {
    const refusals = async (code: string) => {
      const rows = await gateway.database.query<{ calls: number }>(
        'SELECT coalesce(sum(calls), 0)::int AS calls FROM refused_calls WHERE code = $1',
        [code],
      );
      return rows[0]?.calls ?? 0;
    };
    const before = await refusals('service_unavailable');
    await locker.query('BEGIN; LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
    const requesting = gateway.complete(user, HELLO);
    await eventually(async () => {
      const [row] = await gateway.database.query(
        "SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = 'usage_calls'::regclass",
      );
      return row?.waiting !== 0;
    });
    gateway.services.get(ActiveCallsService).failAll(serviceUnavailable('It stops.'));
    await locker.query('ROLLBACK');
    const response = await requesting;
    await expectUnavailable(response);
    expect(await statusOf('request_id', response.headers.get('x-request-id'))).toEqual(['failed']);
    // Rejections are written in order, so earlier ones are there as well.
    await gateway.complete(user, { ...HELLO, model: 'unknown' });
    await eventually(async () => (await refusals('model_not_found')) > 0);
    expect(await refusals('service_unavailable')).toBe(before);
  });

  it('is aborted at no cost, and calls no upstream, for a client that leaves while its row opens', async () => {
    const called = upstream.requests.length;
    await locker.query('BEGIN; LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
    const leaving = new AbortController();
    const requesting = gateway.complete(user, HELLO, { signal: leaving.signal }).catch(() => 'left');
    await eventually(async () => {
      const [row] = await gateway.database.query(
        "SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = 'usage_calls'::regclass",
      );
      return row?.waiting !== 0;
    });
    const before = left();
    leaving.abort();
    expect(await requesting).toBe('left');
    await eventually(() => left() > before);
    await locker.query('ROLLBACK');
    await eventually(async () => {
      const [row] = await gateway.database.query('SELECT * FROM usage_calls ORDER BY started_at DESC LIMIT 1');
      return row?.status === 'aborted' && row.error_code === 'client_closed' && row.cost_nanodollars === '0';
    });
    expect(upstream.requests).toHaveLength(called);
  });

  it('is failed for a call that cannot be routed, which does not stay in progress', async () => {
    const routing = jest.spyOn(gateway.services.get(RouterService), 'route').mockImplementationOnce(() => {
      throw new Error('no route');
    });
    const response = await gateway.complete(user, HELLO);
    routing.mockRestore();
    expect(response.status).toBe(500);
    expect(await statusOf('request_id', response.headers.get('x-request-id'))).toEqual(['failed']);
    expect(gateway.services.get(ActiveCallsService).ids).toEqual([]);
  });

  it('delivers the answer when only the connection broke', async () => {
    const { promise: broken, resolve: goOn } = Promise.withResolvers<void>();
    upstream.enqueue(stream(['Hello', gate(broken), ' there!']));
    const response = await gateway.complete(user, { ...HELLO, stream: true });
    await gateway.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name LIKE 'gateway % calls' AND datname = current_database()`,
    );
    goOn();
    expect(await response.text()).toContain('data: [DONE]');
    expect(await statusOf('request_id', response.headers.get('x-request-id'))).toEqual(['settled']);
  });
});
