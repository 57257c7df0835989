import { connect } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { rawRequest } from './support/raw-http.js';
import { json } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const LIMIT = 1_000_000;
const MODEL = 'gpt-6-luna';
const messages = [{ role: 'user', content: 'Hi' }];
const request = { model: MODEL, messages };
const text = JSON.stringify(request);
const answer = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

const isFault = ({ level }: Record<string, unknown>) => Number(level) >= 50;

const upstream = (await ScriptedUpstream.start()).always(() => json(200, answer));
const gateway = await TestGateway.start({
  env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: `${upstream.url}/v1` },
  config: { 'gateway.yaml': `server: { bodyLimit: ${LIMIT}b }` },
});
const user = await gateway.createUser();
afterEach(() => {
  expect(gateway.log.filter(isFault)).toEqual([]);
  gateway.log.length = 0;
});

function post(body: string | Buffer<ArrayBuffer> | null, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    body,
    headers: { ...user.headers, 'content-type': 'application/json', ...headers },
  });
}

/** A request with these top-level fields, as raw JSON. */
const withFields = (fields: string) => post(`${text.slice(0, -1)},${fields}}`);

describe('a body that is not JSON is a 400', () => {
  it.each([
    ['nothing', ''],
    ['half an object', '{"model":"gpt-6-luna","messages":['],
    ['two objects', '{}{}'],
    ['bytes', Buffer.from([0, 159, 146, 150])],
  ])('%s', async (_, body: string | Buffer<ArrayBuffer>) => {
    const { message } = await expectError(await post(body), { status: 400, code: 'invalid_json' });
    expect(message).not.toContain('gpt');
  });

  it('a body that is not JSON is a 400 and so is a missing body', async () => {
    await expectError(await post(null), { status: 400, code: 'invalid_json' });
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: ${user.headers.authorization}\r\n`;
    await expectError(await rawRequest(gateway.url, `${head}\r\n`), { status: 400, code: 'invalid_json' });
    const empty = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    await expectError(await rawRequest(gateway.url, empty), { status: 400, code: 'invalid_json' });
  });
});

describe('an invalid body is a 400 that names the field', () => {
  it.each([
    ['[]', 'invalid_type', null],
    ['{}', 'missing_required_parameter', 'model'],
    [`{"model":5,"messages":[]}`, 'invalid_type', 'model'],
    [`{"model":"${MODEL}","messages":[{"role":"robot","content":"Hi"}]}`, 'invalid_value', 'messages[0].role'],
  ])('%s', async (body, code, param) => {
    await expectError(await post(body), { status: 400, code, param });
  });

  it.each([
    ['"temperature":3', 'invalid_value', 'temperature'],
    ['"max_tokens":9007199254740993', 'invalid_value', 'max_tokens'],
    ['"max_tokens":1e400', 'invalid_type', 'max_tokens'],
  ])('%s', async (field, code, param) => {
    const { message } = await expectError(await withFields(field), { status: 400, code, param });
    expect(message).toContain(`'${param}'`);
  });
});

describe('a body over the limit is a 413', () => {
  const tooLarge = { status: 413, code: 'request_too_large' };
  const head = () =>
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: ${user.headers.authorization}\r\n` +
    'Content-Type: application/json\r\n';

  it('a body over the limit is a 413 but a body of exactly the limit is not', async () => {
    expect((await post(text.padEnd(LIMIT))).status).toBe(200);
    await expectError(await post(text.padEnd(LIMIT + 1)), tooLarge);
  });

  it('a body over the limit is a 413 before it arrives, when its length is known', async () => {
    await expectError(await rawRequest(gateway.url, `${head()}Content-Length: 99999999999\r\n\r\n{`), tooLarge);
  });

  it('a body over the limit is a 413 as soon as the limit is passed, without a length or an end', async () => {
    const chunk = `80000\r\n${'x'.repeat(0x80000)}\r\n`;
    const reply = await rawRequest(gateway.url, [`${head()}Transfer-Encoding: chunked\r\n\r\n`, chunk, chunk]);
    await expectError(reply, tooLarge);
  });

  it('a body over the limit is a 413 when it exceeds the limit after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    expect(bomb.length).toBeLessThan(LIMIT);
    await expectError(await post(bomb, { 'content-encoding': 'gzip' }), tooLarge);
    await expectError(await post(brotliCompressSync(Buffer.alloc(20_000_000)), { 'content-encoding': 'br' }), tooLarge);
    await expectError(await post(zstdCompressSync(Buffer.alloc(20_000_000)), { 'content-encoding': 'zstd' }), tooLarge);
  });

  it('a body over the limit is a 413 which SDKs can read while they are still sending', async () => {
    await expectError(await post('x'.repeat(30_000_000)), tooLarge);
  });
});

describe('the type of a body', () => {
  const unsupported = { status: 415, code: 'unsupported_media_type' };

  it.each([
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    '',
  ])('%j is a 415', async (type) => {
    await expectError(await post(Buffer.from(text), { 'content-type': type }), unsupported);
  });

  it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"; v=1'])(
    '%j is served',
    async (type) => {
      expect((await post(text, { 'content-type': type })).status).toBe(200);
    },
  );

  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['GZIP', gzipSync(text)],
  ])('may be compressed as %s', async (encoding, body) => {
    expect((await post(body, { 'content-encoding': encoding })).status).toBe(200);
  });

  it('the type of a body with an unknown coding is a 415, and a 400 when it cannot be decompressed', async () => {
    await expectError(await post(text, { 'content-encoding': 'gzip, gzip' }), unsupported);
    await expectError(await post(text, { 'content-encoding': 'compress' }), unsupported);
    for (const body of [Buffer.from(text), gzipSync(text).subarray(0, 20)]) {
      const reply = await post(body, { 'content-encoding': 'gzip' });
      await expectError(reply, { status: 400, code: 'invalid_request' });
    }
  });

  it('may be several frames of zstd, also with a checksum, a long window or metadata', async () => {
    const [first, second] = [text.slice(0, 20), text.slice(20)].map((part) => zstdCompressSync(part));
    const metadata = Buffer.from('502a4d180400000001020304', 'hex');
    const checked = zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const long = zstdCompressSync(text, { params: { [constants.ZSTD_c_windowLog]: 23 } });
    for (const frames of [[first, second], [metadata, first, metadata, second], [checked], [long]]) {
      const body = Buffer.concat(frames as Buffer[]);
      expect((await post(body, { 'content-encoding': 'zstd' })).status).toBe(200);
    }
  });

  const frame = zstdCompressSync(text);
  const HEADER = 4;
  /** The frame with another header: its descriptor, and what follows up to the first block. */
  const withHeader = (...header: number[]) =>
    Buffer.concat([frame.subarray(0, HEADER), Buffer.from(header), frame.subarray(HEADER + 2)]);
  const SINGLE_SEGMENT = 0x20;

  it('is a frame of zstd whose header the next tests replace', () => {
    expect(frame.subarray(HEADER, HEADER + 2)).toEqual(Buffer.from([SINGLE_SEGMENT, text.length]));
  });

  it.each<[string, Buffer<ArrayBuffer>]>([
    ['too large a declared size', withHeader(SINGLE_SEGMENT, text.length + 1)],
    ['too small a declared size', withHeader(SINGLE_SEGMENT, text.length - 1)],
    ['a declared size of 4 GB', withHeader(SINGLE_SEGMENT | 0x80, 0xff, 0xff, 0xff, 0xff)],
    ['a window of 128 MB', withHeader(0, (27 - 10) << 3)],
    ['an unknown dictionary', withHeader(SINGLE_SEGMENT | 1, 7, text.length)],
    ['a frame that was cut', frame.subarray(0, -1)],
    ['a header that was cut', frame.subarray(0, HEADER + 1)],
    ['a second frame that was cut', Buffer.concat([frame, frame.subarray(0, -1)])],
    ['no frame', Buffer.from(text)],
  ])('is a 400 when it is zstd with %s', async (_what, body) => {
    const reply = await post(body, { 'content-encoding': 'zstd' });
    const { message } = await expectError(reply, { status: 400, code: 'invalid_request' });
    expect(message).toContain('cannot be decompressed');
  });

  it('may start with a byte order mark', async () => {
    expect((await post(`\ufeff${text}`)).status).toBe(200);
  });
});

describe('a hostile body does no harm', () => {
  it.each([
    '"__proto__":{"stream":true,"polluted":1}',
    '"constructor":{"prototype":{"polluted":1}}',
    '"constructor":null',
    '"toString":null,"valueOf":1,"hasOwnProperty":false,"then":{}',
    '"toJSON":1',
    '"metadata":{"__proto__":"x","constructor":"y"}',
    '"__proto__":null',
  ])('a hostile body does no harm with %s', async (fields) => {
    const response = await withFields(fields);
    expect([response.status, await response.json()]).toMatchObject([200, { object: 'chat.completion' }]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('a hostile body does no harm with such names inside a message or a tool', async () => {
    const body = `{"model":"${MODEL}","reasoning_effort":"none","messages":[{"role":"user","content":"Hi","__proto__":{"role":"system"},"constructor":null}],
      "tools":[{"type":"function","function":{"name":"f","parameters":{"__proto__":{"a":1},"constructor":{}}},"__proto__":null}]}`;
    expect((await post(body)).status).toBe(200);
    const sent = upstream.requests.at(-1)?.json() as { messages: { role: string }[] };
    expect(sent.messages[0]?.role).toBe('user');
  });

  it('a hostile body does no harm with fields nested a hundred thousand deep', async () => {
    const depth = 100_000;
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const field of [
      `"unknown":${nested}`,
      `"tools":${nested}`,
      `"metadata":{"a":${nested}}`,
      `"stop":${nested}`,
    ]) {
      const { status } = await withFields(field);
      expect([field.slice(0, 12), status < 500]).toEqual([field.slice(0, 12), true]);
    }
  });

  it('a hostile body does no harm with many fields', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":0`).join();
    expect((await withFields(fields(400))).status).toBe(200);
    expect((await withFields(`"zz":{${fields(20_000)}}`)).status).toBe(200);
    expect((await withFields(fields(80_000))).status).toBe(413);
  });

  it('a hostile body does no harm with a client that disconnects in the middle of it', async () => {
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: ${user.headers.authorization}\r\n`;
    for (const [coding, piece] of [
      ['identity', Buffer.from('{"model":')],
      ['gzip', gzipSync(text).subarray(0, 12)],
      ['zstd', zstdCompressSync(text).subarray(0, 12)],
    ] as const) {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      socket.write(
        `${head}Content-Type: application/json\r\nContent-Encoding: ${coding}\r\nContent-Length: 500\r\n\r\n`,
      );
      socket.write(piece, () => socket.resetAndDestroy());
      await eventually(() => gateway.log.some(({ left }) => left === true));
      gateway.log.length = 0;
    }
    expect((await post(text)).status).toBe(200);
  });
});
