import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { OverloadService } from '../src/completions/admission/overload/overload.service.js';
import { completion, stream } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { RoutingTest } from './support/routing-test.js';
import type { TestUser } from './support/test-gateway.js';

const overloaded = { status: 503, type: 'server_error', code: 'overloaded' };
const MODEL = { m: 'targets: [{ upstream: a, model: m }]' };

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a gateway with as many calls under way as it may have', () => {
  let chat: RoutingTest;
  let first: TestUser;
  let second: TestUser;
  let other: TestUser;
  let paused: { end: () => Promise<void> }[] = [];
  beforeAll(async () => {
    const settings = 'overload: { maxCalls: 4, maxLoopDelay: 1m }';
    chat = await RoutingTest.start({ settings, models: MODEL, upstreams: { a: ['a'] } });
    first = chat.user;
    second = await chat.gateway.createUser();
    other = await chat.gateway.createUser();
  });
  afterEach(async () => {
    await Promise.all(paused.map(({ end }) => end()));
    paused = [];
    chat.a.always(() => completion());
    await untilUnderWay(0);
  });

  const untilUnderWay = (count: number) =>
    eventually(() => chat.gateway.services.get(OverloadService).callsUnderWay === count);

  /** Two calls of a user under way, which is half of the places, until they are ended. */
  async function hold(user: TestUser) {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    chat.a.always(() => [async () => opened, completion()]);
    const before = chat.a.requests.length;
    const calls = [chat.ask('m', {}, user), chat.ask('m', {}, user)];
    await chat.a.received(before + 2);
    const end = async () => {
      open();
      for (const call of calls) expect((await call).status).toBe(200);
    };
    const holding = { end };
    paused.push(holding);
    return holding;
  }

  it('turns others away with Retry-After, and lets those under way end well', async () => {
    const holding = [await hold(first), await hold(second)];
    const { shed } = chat.gateway.services.get(OverloadService);
    const { headers } = await expectError(await chat.ask('m', {}, other), overloaded);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('x-gateway-attempts')).toBe('0');
    expect(chat.gateway.services.get(OverloadService).shed).toEqual({ ...shed, calls: shed.calls + 1 });
    for (const { end } of holding) await end();
    await untilUnderWay(0);
    expect((await chat.ask('m', {}, other)).status).toBe(200);
  });

  it('logs one of them a second, with the number of the others', async () => {
    await hold(first);
    await hold(second);
    const lines = () => chat.gateway.log.filter(({ msg, code }) => msg === 'request' && code === 'overloaded');
    await delay(1100);
    const before = lines().length;
    for (let calls = 0; calls < 5; calls++) await expectError(await chat.ask('m', {}, other), overloaded);
    await delay(1100);
    await expectError(await chat.ask('m', {}, other), overloaded);
    await eventually(() => lines().length === before + 2);
    expect(lines().at(-1)).toMatchObject({ status: 503, keyId: other.key.id, suppressed: 4 });
  });

  it('does so before a body is read, but after the key', async () => {
    await hold(first);
    await hold(second);
    const { hostname, port } = new URL(chat.gateway.url);
    const answerTo = async (authorization: string) => {
      const socket = connect(Number(port), hostname);
      const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`;
      socket.write(`${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n`);
      const [data] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return data.toString('latin1').slice(9, 12);
    };
    expect(await answerTo(other.headers.authorization)).toBe('503');
    expect(await answerTo('Bearer svc_unknown')).toBe('401');
  });

  it('answers each of hundreds of simultaneous calls, also when some of the callers leave', async () => {
    await hold(first);
    await hold(second);
    const { hostname, port } = new URL(chat.gateway.url);
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    const request =
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: ${other.headers.authorization}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const sockets = await Promise.all(
      Array.from({ length: 400 }, async () => {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        return socket;
      }),
    );
    const answers: Promise<Buffer[]>[] = [];
    for (const [index, socket] of sockets.entries()) {
      socket.write(request);
      if (index % 4 === 0) socket.resetAndDestroy();
      else answers.push(once(socket, 'data'));
    }
    const texts = (await Promise.all(answers)).map(([data]) => String(data));
    expect(texts.filter((text) => /^HTTP\/1\.1 503 .*"code":"overloaded"/s.test(text))).toHaveLength(300);
    expect(new Set(texts.map((text) => /x-request-id: (\S+)/.exec(text)?.[1])).size).toBe(300);
    for (const socket of sockets) socket.destroy();
  });

  it('still answers its probes and its console at once', async () => {
    await hold(first);
    await hold(second);
    for (const path of ['/health/live', '/metrics', '/api/session']) {
      expect((await chat.gateway.get(path)).status).toBe(200);
    }
  });

  /** `user` has one place of two, for which another waits. */
  async function untilRefusedBesideOthers(user: typeof first): Promise<void> {
    // Who was turned away is known to wait for a second, within which a busy machine may not come that far.
    await eventually(async () => {
      const { end } = await hold(second);
      await expectError(await chat.ask('m', {}, other), overloaded);
      await end();
      await untilUnderWay(2);
      chat.a.always(() => completion());
      return (await chat.ask('m', {}, user)).status === 503;
    });
  }

  it('gives one key no more than half of the places while another waits', async () => {
    await hold(first);
    await untilRefusedBesideOthers(first);
    expect((await chat.ask('m', {}, other)).status).toBe(200);
  });

  it('gives a user with several keys no more than one with a single key', async () => {
    const keys = chat.gateway.services.get(ApiKeysService);
    const { key } = await keys.create({ name: 'another', userId: first.id }, GATEWAY);
    const again = { ...first, headers: { authorization: `Bearer ${key}` } };
    await hold(first);
    await untilRefusedBesideOthers(again);
  });
});

describe('a gateway whose event loop lags', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'overload: { maxLoopDelay: 200ms }',
      models: MODEL,
      upstreams: { a: ['a'] },
    });
    chat.a.always(() => completion());
  });

  it('turns calls away until it turns again', async () => {
    const statuses: number[] = [];
    const requested = Array.from({ length: 3 }, () => chat.ask('m').then(({ status }) => statuses.push(status)));
    for (let i = 0; i < 8; i++) {
      block(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(requested);
    expect(statuses).toContain(503);
    await eventually(async () => (await chat.ask('m')).status === 200);
  });
});

describe('a gateway in which calls pile up', () => {
  /** More than may always wait. */
  const MANY = 300;
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'overload: { maxLoopDelay: 1m }',
      models: MODEL,
      upstreams: { a: ['a', 'clocks: { head: 60s }'] },
    });
  });

  const overload = () => chat.gateway.services.get(OverloadService);
  const askMany = (fields: object = {}) => Array.from({ length: MANY }, () => chat.ask('m', fields));

  /** Of calls that are made until one is turned away. */
  const firstRefusal = async (): Promise<Response> => {
    const { promise: refused, resolve } = Promise.withResolvers<Response>();
    const timer = setInterval(() => void chat.ask('m').then((one) => one.status === 503 && resolve(one)), 50);
    return refused.finally(() => clearInterval(timer));
  };

  it('turns those away that come on top, and lets in all when it is worked off', async () => {
    chat.a.always(() => completion());
    const { shed } = overload();
    const { database } = chat.gateway;
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    // Nobody's row can be opened meanwhile: the loop is not late, nor is any other limit reached.
    await other.query('BEGIN; LOCK TABLE usage_calls IN ACCESS EXCLUSIVE MODE');
    const waiting = askMany();
    const { headers } = await expectError(await firstRefusal(), overloaded);
    await other.query('COMMIT');
    await other.end();
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('x-gateway-attempts')).toBe('0');
    expect(overload().shed.queue).toBeGreaterThan(shed.queue);
    expect(overload().shed).toMatchObject({ calls: shed.calls, loop_delay: shed.loop_delay });
    const statuses = await Promise.all(waiting.map(async (call) => (await call).status));
    expect(statuses).toContain(200);
    await delay(1500);
    const few = await Promise.all(Array.from({ length: 100 }, async () => (await chat.ask('m')).status));
    expect(new Set(few)).toEqual(new Set([200]));
  });

  it('does not mind how many calls their upstreams hold', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    chat.a.always(() => [async () => opened, stream()]);
    const { queue } = overload().shed;
    const before = chat.a.requests.length;
    const paused = askMany({ stream: true });
    await chat.a.received(before + MANY);
    await delay(500);
    chat.a.always(() => completion());
    expect((await chat.ask('m')).status).toBe(200);
    expect(overload().shed.queue).toBe(queue);
    open();
    for (const call of paused) expect((await (await call).text()).endsWith('data: [DONE]\n\n')).toBe(true);
  });
});
