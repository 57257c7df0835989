import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { completion, stream } from '../support/chat-answers.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { gate, hang } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { StreamReader } from '../support/stream-reader.js';
import { createMigratedDatabase, type TestDatabase } from '../support/test-database.js';

const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] };
/** More than sockets buffer. */
const ANSWER_BYTES = 20_000_000;

/** One connection that is kept alive between its requests. */
class ReusedConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly url: string) {}

  /** Opens the connection with a first request. */
  async open(): Promise<this> {
    const sent = request(`${this.url}/health/live`, { agent: this.agent });
    sent.end();
    const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return this;
  }

  async complete(
    key: string | undefined,
    body: object = {},
  ): Promise<{ status: number | undefined; headers: IncomingHttpHeaders }> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(`${this.url}/v1/chat/completions`, { method: 'POST', agent: this.agent, headers });
    sent.end(JSON.stringify({ ...HELLO, ...body }));
    const [response]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return { status: response.statusCode, headers: response.headers };
  }
}

/** Whether a new connection is accepted. */
async function connectsTo(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}

describe('a gateway that receives a signal to stop', () => {
  let upstream: ScriptedUpstream;
  let database: TestDatabase;
  let gateway: GatewayProcess;
  let key: string | undefined;

  const start = async (shutdown: string) => {
    gateway = await GatewayProcess.start({
      env: { DATABASE_URL: database.url, OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' },
      config: { 'gateway.yaml': `shutdown: ${shutdown}` },
    });
    key ??= await gateway.createKey();
  };
  const complete = (body: object = {}) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...HELLO, ...body }),
    });
  const readiness = async () => (await fetch(`${gateway.url}/health/ready`)).status;
  const rowOf = async (response: Response) => {
    const id = response.headers.get('x-request-id');
    const [row] = await database.query('SELECT * FROM usage_calls WHERE request_id = $1', [id]);
    return row;
  };

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    upstream.always(() => completion());
    database = await createMigratedDatabase();
  });
  afterEach(() => gateway?.stop());

  it('is not ready immediately, serves during the delay, lets answers end, aborts the rest, and exits with 0', async () => {
    await start('{ drainDelay: 4s, deadline: 3s }');
    const opened = Promise.withResolvers<void>();
    upstream.enqueue(stream(['Hello', gate(opened.promise), ' there!']));
    const ending = new StreamReader(await complete({ stream: true }));
    await ending.next();
    upstream.enqueue(stream(['One two three four', hang()]));
    const response = await complete({ stream: true });
    const cutOff = new StreamReader(response);
    await cutOff.until((event) => event.includes('One two'));
    const arrived = upstream.received(upstream.requests.length + 1);
    upstream.enqueue(hang());
    const unanswered = complete();
    const abandoned = (await arrived).aborted;

    const idle = await new ReusedConnection(gateway.url).open();
    const beganAt = performance.now();
    gateway.child.kill('SIGTERM');
    await eventually(async () => (await readiness()) === 503, 3000);
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
    expect((await complete()).status).toBe(200);
    const stored = new ReusedConnection(gateway.url);
    const lastOnReused = await stored.complete(key);
    expect([lastOnReused.status, lastOnReused.headers.connection]).toEqual([200, 'keep-alive']);
    expect(performance.now() - beganAt).toBeLessThan(4000);

    await eventually(async () => (await connectsTo(gateway.url)) === false);
    const late = await idle.complete(key);
    expect([late.status, late.headers.connection]).toEqual([200, 'close']);
    const lateOnReused = await stored.complete(key);
    expect([lateOnReused.status, lateOnReused.headers.connection]).toEqual([200, 'close']);
    opened.resolve();
    await ending.until();
    expect(ending.events.at(-1)).toBe('[DONE]');

    await cutOff.until();
    expect(JSON.parse(cutOff.events.at(-1) ?? '')).toMatchObject({
      error: { type: 'server_error', code: 'service_unavailable' },
    });
    const refused = await unanswered;
    await abandoned;
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await gateway.ended()).toBe(0);
    expect(performance.now() - beganAt).toBeGreaterThan(6900);
    expect(performance.now() - beganAt).toBeLessThan(20_000);
    expect(gateway.log.at(-1)).toMatchObject({ msg: 'Stopped.' });

    const [{ id }] = ending.events.slice(0, 1).map((event) => JSON.parse(event)) as [{ id: string }];
    expect(await database.query('SELECT status FROM usage_calls WHERE id = $1', [id])).toEqual([{ status: 'settled' }]);
    for (const [row, least] of [
      [await rowOf(response), 4],
      [await rowOf(refused), 1],
    ] as const) {
      expect(row).toMatchObject({ status: 'aborted', error_code: 'service_unavailable', token_source: 'estimated' });
      expect(Number(row?.output_tokens)).toBeGreaterThanOrEqual(least);
      expect(Number(row?.cost_nanodollars)).toBeGreaterThan(0);
    }
    expect(await database.query("SELECT 1 FROM usage_calls WHERE status = 'open'")).toEqual([]);
  });

  it('sends an answer completely, even if it is read slowly', async () => {
    await start('{ deadline: 10s }');
    upstream.enqueue(completion('x'.repeat(ANSWER_BYTES)));
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    let received = 0;
    socket.once('data', () => socket.pause());
    socket.on('data', (data) => {
      received += data.length;
    });
    const body = JSON.stringify(HELLO);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    await eventually(() => received > 0);
    gateway.child.kill('SIGTERM');
    await sleep(500);
    expect(received).toBeLessThan(ANSWER_BYTES);
    socket.resume();
    expect(await gateway.ended()).toBe(0);
    await eventually(() => received > ANSWER_BYTES);
    socket.destroy();
  });

  it('ends quickly on SIGINT without calls in progress', async () => {
    await start('{}');
    await (await complete()).json();
    const idle = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined);
    const beganAt = performance.now();
    expect(await gateway.kill('SIGINT')).toBe(0);
    // The default deadline is half a minute.
    expect(performance.now() - beganAt).toBeLessThan(15_000);
    idle.destroy();
  });

  it('serves calls on the connection of a stream that ended after the listeners closed', async () => {
    await start('{ drainDelay: 0s, deadline: 20s }');
    const opened = Promise.withResolvers<void>();
    upstream.enqueue(stream(['Hello', gate(opened.promise), ' there!']));
    const requested = upstream.requests.length;
    const stored = new ReusedConnection(gateway.url);
    const streamed = stored.complete(key, { stream: true });
    await upstream.received(requested + 1);
    gateway.child.kill('SIGTERM');
    await eventually(async () => (await connectsTo(gateway.url)) === false);
    opened.resolve();
    expect((await streamed).status).toBe(200);
    const last = await stored.complete(key);
    expect([last.status, last.headers.connection]).toEqual([200, 'close']);
    expect(await gateway.ended()).toBe(0);
  });

  it('treats simultaneous signals as one, and exits immediately on a later one', async () => {
    await start('{}');
    upstream.enqueue(stream([hang()]));
    const response = await complete({ stream: true });
    gateway.child.kill('SIGTERM');
    gateway.child.kill('SIGINT');
    await eventually(() => gateway.log.some(({ msg }) => String(msg).startsWith('Shutting down')));
    await new Promise((later) => setTimeout(later, 1200));
    expect(gateway.child.exitCode).toBeNull();
    const beganAt = performance.now();
    expect(await gateway.kill('SIGINT')).toBe(1);
    expect(performance.now() - beganAt).toBeLessThan(10_000);
    await response.text().catch(() => undefined);
  });

  it('exits with 0 while it waits for its database', async () => {
    const proxy = await DatabaseProxy.create(database.url);
    gateway = await GatewayProcess.start({ eager: true, env: { DATABASE_URL: proxy.url } });
    await eventually(() => gateway.log.some(({ msg }) => String(msg).startsWith('The database cannot be reached yet')));
    expect(await gateway.kill('SIGTERM')).toBe(0);
    expect(gateway.stderr).toBe('');
  });
});
