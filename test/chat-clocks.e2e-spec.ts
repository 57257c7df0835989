import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from '@jest/globals';
import { chunkOf, completion, stream } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { expectError } from './support/error-reply.js';
import { bytes, chunk, drip, end, hang, head, lastChunk, pause, type Script, sse } from './support/script.js';

const CLOCKS = {
  connect: '{ connect: 300ms }',
  head: '{ head: 300ms }',
  'first-event': '{ firstEvent: 300ms }',
  idle: '{ idle: 300ms }',
  total: '{ total: 400ms }',
  // Long enough for a busy machine.
  'long-head': '{ head: 2s }',
  'long-first-event': '{ firstEvent: 2s }',
  'long-idle': '{ idle: 1500ms }',
};

const timeout = { status: 504, type: 'server_error', code: 'upstream_timeout' };
const jsonHead = head(200, { 'content-type': 'application/json', 'content-length': '100' });
const streamHead = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
const begun = chunkOf({ role: 'assistant', content: 'a' });

/** Accepts connections and sends nothing, so that a TLS handshake never ends. */
const muted = new Set<Socket>();

const mute = createServer((socket) => {
  muted.add(socket);
  socket.on('error', () => undefined);
}).listen(0, '127.0.0.1');
await once(mute, 'listening');
const { port } = mute.address() as AddressInfo;

const names = [...Object.keys(CLOCKS), 'refusing'];
const models = names.map(
  (name) => `- { id: ${name}, tier: free, displayName: A, description: A, contextLength: 1,
  targets: [{ upstream: ${name}, model: m }] }`,
);
const upstreams = (url: string) => [
  ...Object.entries(CLOCKS).map(([name, clocks]) => {
    const baseUrl = name === 'connect' ? `https://127.0.0.1:${port}/v1` : url;
    return `${name}: { protocol: openai, auth: none, baseUrl: "${baseUrl}", clocks: ${clocks} }`;
  }),
  `refusing: { protocol: openai, auth: none, baseUrl: "http://127.0.0.1:1" }`,
];
const chat = await ChatTest.start({
  // Targets that keep failing are set aside; see set-aside.e2e-spec.ts.
  settings: 'retry: { attempts: 2 }\nrouting: { consecutiveFailures: 1000, minimumCalls: 1000 }',
  catalog: { models: models.join('\n'), upstreams: (url) => upstreams(url).join('\n') },
});
afterAll(async () => {
  for (const socket of muted) socket.destroy();
  mute?.close();
});

describe('a timeout is a 504, after another attempt', () => {
  it.each<[string, string, Script, boolean]>([
    ['connection', 'connect', [], false],
    ['head', 'head', hang(), false],
    ['head of a stream', 'head', hang(), true],
    [
      'first event',
      'first-event',
      [streamHead, chunk(': hi\n\n'), drip(chunkText(': hi\n\n').repeat(20), 5), hang()],
      true,
    ],
    ['head, where the first event is due before it', 'first-event', hang(), true],
    ['further piece of a JSON answer', 'idle', [jsonHead, bytes('{"choices":'), hang()], false],
    ['end of the call', 'total', [jsonHead, drip(' '.repeat(90), 20)], false],
  ])('no %s', async (_what, model, script, streamed) => {
    const sent = chat.upstream.requests.length;
    const connections = muted.size;
    chat.upstream.always(() => script);
    const response = await chat.ask({ model, stream: streamed });
    await expectError(response, timeout);
    const attempts = chat.upstream.requests.length - sent + muted.size - connections;
    // The total timeout covers all attempts, so there is no time for another.
    expect(attempts).toBe(model === 'total' ? 1 : 2);
    expect((await chat.row(response)).attempts).toHaveLength(attempts);
    for (const request of chat.upstream.requests.slice(sent)) await request.aborted;
  });

  it.each<[string, Script]>([
    ['long-head', hang()],
    ['long-first-event', [streamHead, hang()]],
  ])('a timeout is a 504, after another attempt but not if it arrives in time: %s', async (model, script) => {
    chat.upstream.enqueue(script).enqueue(stream());
    expect(await (await chat.ask({ model, stream: true })).text()).toContain('[DONE]');
  });
});

describe('a failed connection', () => {
  it('is a 502 with its own code, after another attempt', async () => {
    const response = await chat.ask({ model: 'refusing' });
    await expectError(response, { status: 502, type: 'server_error', code: 'upstream_unreachable' });
    expect((await chat.row(response)).attempts).toMatchObject([
      { outcome: 'upstream_unreachable', status: 0 },
      { outcome: 'upstream_unreachable', status: 0 },
    ]);
  });
});

describe('timeouts', () => {
  it('do not end a slow answer that makes progress', async () => {
    chat.upstream.enqueue(stream(Array.from({ length: 5 }, () => [pause(400), 'a']).flat() as string[]));
    expect(await (await chat.ask({ model: 'long-idle', stream: true })).text()).toContain('[DONE]');
  });

  it('idle does not run before the head, nor first event for a JSON answer', async () => {
    chat.upstream.enqueue([pause(500), completion()]);
    expect((await chat.ask({ model: 'idle' })).status).toBe(200);
    chat.upstream.enqueue([pause(500), completion()]);
    expect((await chat.ask({ model: 'first-event' })).status).toBe(200);
  });

  it('total ends a stream that has started, with the error event', async () => {
    chat.upstream.enqueue([
      sse([begun, ...Array.from({ length: 30 }, () => [pause(30), begun]).flat()] as object[]),
      lastChunk(),
      end(),
    ]);
    const text = await (await chat.ask({ model: 'total', stream: true })).text();
    expect(text).toMatch(/"code":"upstream_timeout"\}\}\n\n$/);
  });
});

function chunkText(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
