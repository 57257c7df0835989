import { connect, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { answerTo, completion } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { GatewayProcess } from './support/gateway-process.js';
import { gate } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const MB = 1024 * 1024;
const MODEL = 'gpt-6-luna';
const BEGINNING = `{"model":"${MODEL}","messages":[{"role":"user","content":"Hi"}]`;
const QUESTION = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };

const tooLarge = { status: 413, code: 'request_too_large' };
const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

/** 33 kB on the way, 33 MB of eleven million objects in memory. */
const BOMB = gzipSync(`${BEGINNING},"zz":[${'{},'.repeat(11_000_000)}{}]}`);

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `"f${index}":0`).join();

const image = (bytes: number) => `data:image/png;base64,${'iVBORw0KGgo'.padEnd(bytes, 'A')}`;
const withImage = (bytes: number) => ({
  model: MODEL,
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image(bytes) } }] }],
});

describe('a body that is expensive for its size', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;

  beforeAll(async () => {
    upstream = (await ScriptedUpstream.start()).always(() => completion());
    gateway = await TestGateway.start({ env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${upstream.url}/v1` } });
    user = await gateway.createUser();
  });

  const post = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { ...user.headers, 'content-type': 'application/json', ...headers },
    });

  it.each(['gzip', 'deflate', 'br', 'zstd'] as const)(
    'is a 413 when its %s compression ratio is too high',
    async (coding) => {
      const body = packers[coding](`${BEGINNING},"zz":"${'a'.repeat(4 * MB)}"}`);
      const { message } = await expectError(await post(body, { 'content-encoding': coding }), tooLarge);
      expect(message).toContain('compress');
    },
  );

  it('is accepted if its compression ratio is usual for text', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `2026-11-21T10:00:00Z INFO request ${i * 7919} was served`);
    const body = gzipSync(JSON.stringify({ ...QUESTION, messages: [{ role: 'user', content: lines.join('\n') }] }));
    expect((await post(body, { 'content-encoding': 'gzip' })).status).toBe(200);
  });

  it.each<[string, string, RegExp]>([
    ['objects', `"zz":[${'{},'.repeat(100_000)}{}]`, /100,000 values\. Send fewer/],
    ['numbers', `"zz":[${'0,'.repeat(100_000)}0]`, /100,000 values/],
    ['fields', `"zz":{${numbered(100_000)}}`, /25,000 different names.* Use the same names/],
    ['top-level fields', numbered(1000), /500 top-level fields\. Send fewer/],
    ['levels', `"zz":${'['.repeat(2000)}${']'.repeat(2000)}`, /1,000 levels.* Use fewer levels\./],
    ['bytes in a name', `"${'n'.repeat(70_000)}":0`, /65,536 bytes in a name\. Shorten it/],
    ['short bytes', `"zz":[1${'0'.repeat(9 * MB)}]`, /8,388,608 bytes in short values/],
  ])('is a 413 that names the remedy when it has too many %s', async (_what, fields, words) => {
    const requested = upstream.requests.length;
    for (const coding of ['identity', 'gzip'] as const) {
      const text = `${BEGINNING},${fields}}`;
      const reply = await post(coding === 'gzip' ? gzipSync(text) : text, { 'content-encoding': coding });
      const { message } = await expectError(reply, tooLarge);
      expect(message).toMatch(coding === 'gzip' && message.includes('compress') ? /compress/ : words);
    }
    expect(upstream.requests).toHaveLength(requested);
  });

  it('is rejected before it has fully arrived', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const head = `Host: x\r\nAuthorization: ${user.headers.authorization}\r\nContent-Type: application/json\r\n`;
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}Content-Length: ${20 * MB}\r\n\r\n`);
    socket.write(`${BEGINNING},"zz":[${'{},'.repeat(150_000)}`);
    expect(await firstLine(socket)).toBe('HTTP/1.1 413 Payload Too Large');
    socket.destroy();
  });

  it('is accepted when it is a large image', async () => {
    const response = await post(JSON.stringify(withImage(20 * MB)));
    expect(response.status).toBe(200);
    expect(upstream.requests.at(-1)?.json()).toMatchObject(withImage(20 * MB));
  });

  it('is forwarded unchanged byte for byte in its long parts, where the upstream accepts them', async () => {
    const messages = `[ {"role":"user", "content":"caf\\u00e9 ${'and on '.repeat(3000)}"} ]`;
    const tools = `[{"type":"function" ,"function":{"name":"f","description":"${'d'.repeat(20_000)}"}}]`;
    const body = `{"tools": ${tools},"reasoning_effort":"none","temperature":0.50,"messages":${messages},"model":"${MODEL}"}`;
    expect((await post(body)).status).toBe(200);
    const sent = upstream.requests.at(-1);
    expect(sent?.json()).toEqual({ ...JSON.parse(body), model: expect.any(String), stream: false });
    for (const text of [tools, messages]) expect(sent?.body).toContain(text);
  });

  it('is forwarded as parsed when a name occurs twice', async () => {
    const message = { role: 'user', content: 'and on '.repeat(3000) };
    const twice = JSON.stringify(message).replace('{', '{"role":"system",');
    expect((await post(`{"model":"${MODEL}","messages":[${twice}]}`)).status).toBe(200);
    expect(upstream.requests.at(-1)?.body).toContain(`"messages":${JSON.stringify([message])}`);
  });
});

describe('bodies in memory', () => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;
  let other: TestUser;

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    const config = { 'gateway.yaml': 'overload: { maxBufferedBytes: 6mb }' };
    const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${upstream.url}/v1` };
    gateway = await TestGateway.start({ env, config });
    user = await gateway.createUser();
    other = await gateway.createUser();
  });

  it('are limited per owner and in total until their answers have ended', async () => {
    const { promise: go, resolve: answer } = Promise.withResolvers<void>();
    upstream.always(() => [gate(go), completion()]);
    const pending = [gateway.complete(user, withImage(2 * MB))];
    await upstream.received(1);
    const busy = { status: 429, type: 'requests', code: 'rate_limit_exceeded' };
    const keys = gateway.services.get(ApiKeysService);
    const { key } = await keys.create({ name: 'second', userId: user.id }, GATEWAY);
    const withOtherKey = { ...user, headers: { authorization: `Bearer ${key}` } };
    await expectError(await gateway.complete(withOtherKey, withImage(2 * MB)), busy);
    const { headers } = await expectError(await gateway.complete(user, withImage(2 * MB)), busy);
    expect(headers.get('retry-after')).toBe('1');
    pending.push(gateway.complete(other, withImage(3.9 * MB)));
    await upstream.received(2);
    const full = { status: 503, type: 'server_error', code: 'overloaded' };
    const { headers: headersOfFull } = await expectError(await gateway.complete(user, withImage(MB / 2)), full);
    expect(headersOfFull.get('retry-after')).toBe('1');
    pending.push(gateway.complete(user, QUESTION));
    answer();
    for (const reply of pending) expect((await reply).status).toBe(200);
    await eventually(async () => (await gateway.complete(user, withImage(5 * MB))).status === 200);
  });

  it('bodies in memory of clients that disconnect are released', async () => {
    const head = `Host: x\r\nAuthorization: ${user.headers.authorization}\r\nContent-Type: application/json\r\n`;
    const request = `POST /v1/chat/completions HTTP/1.1\r\n${head}Content-Length: ${5 * MB}\r\n\r\n`;
    const sockets = [1, 2].map(() => connect(Number(new URL(gateway.url).port), '127.0.0.1'));
    for (const socket of sockets) socket.write(`${request}{"a":"${'x'.repeat(2.5 * MB)}`);
    const refused = await Promise.race(sockets.map(firstLine));
    expect(refused).toBe('HTTP/1.1 429 Too Many Requests');
    for (const socket of sockets) socket.resetAndDestroy();
    await eventually(async () => (await gateway.complete(user, withImage(5 * MB))).status === 200);
  });

  it('answers that nobody reads are cut after seconds beyond the share of their owner, others are sent whole', async () => {
    const text = 'word '.repeat(4 * MB);
    upstream.always(() => completion(text));
    const body = JSON.stringify(QUESTION);
    const head = `Host: x\r\nAuthorization: ${user.headers.authorization}\r\nContent-Type: application/json\r\n`;
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.pause();
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    const ended = () => gateway.log.filter(({ msg }) => msg === 'request').length;
    const before = ended();
    await eventually(() => ended() > before);
    let received = 0;
    socket.on('error', () => undefined).on('data', ({ length }) => (received += length));
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toBeLessThan(text.length);
    expect((await (await gateway.complete(user, QUESTION)).text()).length).toBeGreaterThan(text.length);
  });

  it('larger than the whole budget are a 413', async () => {
    await expectError(await gateway.complete(user, withImage(6 * MB)), tooLarge);
  });
});

describe('fifty concurrent bodies that decompress to eleven million values', () => {
  let upstream: ScriptedUpstream;
  let database: TestDatabase;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    upstream = (await ScriptedUpstream.start()).always((request) => answerTo(request));
    database = await createMigratedDatabase();
    const env = { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${upstream.url}/v1`, DATABASE_URL: database.url };
    gateway = await GatewayProcess.start({ env: { ...env, NODE_OPTIONS: '--max-old-space-size=192' } });
  });

  it('do not crash a gateway with a small heap, which keeps serving other callers', async () => {
    const [keys, other] = [await gateway.createKey(), await gateway.createKey('other@example.com')];
    const post = (key: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      });
    expect(BOMB.length).toBeLessThan(100_000);
    const bombs = Array.from({ length: 50 }, () => post(keys, BOMB, { 'content-encoding': 'gzip' }));
    const calls = Array.from({ length: 20 }, () => post(other, JSON.stringify(QUESTION)));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set((await Promise.all(bombs)).map(({ status }) => status))).toEqual(new Set([413]));
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
    expect(gateway.child.exitCode).toBeNull();
  });
});

function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('data', (data: Buffer) => resolve(data.toString('latin1').split('\r\n')[0] ?? ''));
    socket.once('error', reject);
  });
}
