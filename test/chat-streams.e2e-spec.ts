import { describe, expect, it } from '@jest/globals';
import type { ChatCompletionChunk } from '../src/upstreams/contract/chat.types.js';
import { chunkOf, completion, refusal, stream, USAGE } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { answerOfStream, brokenPromises } from './support/client-answer.js';
import { expectError } from './support/error-reply.js';
import { schemaFaults } from './support/openai-schema.js';
import { rawRequest } from './support/raw-http.js';
import { bytes, chunk, drip, end, gate, head, json, type Script, sse } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';

const chat = await ChatTest.start();

const SSE_HEAD = head(200, { 'content-type': 'text/event-stream', connection: 'close' });
const CHUNKED_HEAD = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });

/** The text of a stream, checked to consist of data lines with [DONE] last. */
async function textOf(script: Script, fields: object = {}): Promise<string> {
  chat.upstream.enqueue(script);
  const response = await chat.ask({ stream: true, ...fields });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(/^(data: \{[^\n\r]*\}\n\n)+data: \[DONE\]\n\n$/);
  return text;
}

/** The chunks of a stream, each valid by the schema. */
async function chunksOf(script: Script, fields: { model?: string; [field: string]: unknown } = {}) {
  const events = (await textOf(script, fields)).split('\n\n').slice(0, -2);
  const chunks = events.map((event): ChatCompletionChunk => JSON.parse(event.slice('data: '.length)));
  expect(chunks.flatMap((reported) => schemaFaults('chunk', reported))).toEqual([]);
  const [first] = chunks;
  if (!first) throw new Error('no chunk');
  expect(first.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
  expect(brokenPromises(chunks, { ...first, model: fields.model ?? 'gpt-6-luna' })).toEqual([]);
  return chunks;
}

describe('a stream', () => {
  it('consists of data lines and [DONE], LF only, with one id and the public model', async () => {
    const chunks = await chunksOf(stream(['Hello', ' 世界']), { model: 'mistral-small-4' });
    expect(answerOfStream(chunks)).toMatchObject({
      choices: { 0: { content: 'Hello 世界', finish: 'stop' } },
      usage: null,
    });
  });

  it('has exactly this head', async () => {
    chat.upstream.enqueue(stream());
    const body = JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'a' }], stream: true });
    const lines = [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: x',
      `Authorization: ${chat.pro.headers.authorization}`,
      'Accept-Encoding: gzip, br',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const response = await rawRequest(chat.gateway.url, `${lines.join('\r\n')}\r\n\r\n${body}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform, private',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
      'openai-processing-ms': expect.stringMatching(/^\d+$/),
      'x-gateway-attempts': '1',
      date: expect.any(String),
      connection: 'keep-alive',
      'keep-alive': 'timeout=75',
      'transfer-encoding': 'chunked',
    });
  });

  it('reaches the client event by event', async () => {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    chat.upstream.enqueue(stream(['one', gate(promise), 'two']));
    const reader = new StreamReader(await chat.ask({ stream: true }));
    await reader.until((event) => event.includes('one'));
    open();
    expect(await reader.until((event) => event.includes('two'))).toBeDefined();
    await reader.until();
    expect(reader.events.at(-1)).toBe('[DONE]');
  });

  it('sends usage only to callers that requested it, last and once', async () => {
    const requested = await chunksOf(stream(), { stream_options: { include_usage: true } });
    expect(requested.at(-1)).toMatchObject({ choices: [], usage: USAGE });
    for (const stream_options of [undefined, null, {}, { include_usage: false }]) {
      const chunks = await chunksOf(stream(), { stream_options });
      expect(chunks.some((reported) => reported.usage || reported.choices.length === 0)).toBe(false);
    }
  });

  it('has estimated usage when the upstream reports none, marked as such in the ledger', async () => {
    chat.upstream.enqueue(stream(['Hello', ' there, how are you?'], { usage: null }));
    const withoutReasoning = { reasoning_effort: 'none' };
    const response = await chat.ask({ stream: true, stream_options: { include_usage: true }, ...withoutReasoning });
    const text = await response.text();
    const { usage } = JSON.parse(text.split('\n\n').at(-3)?.slice('data: '.length) ?? '') as ChatCompletionChunk;
    expect(usage).toMatchObject({ completion_tokens: 7, total_tokens: 7 + (usage?.prompt_tokens ?? 0) });
    expect(await chat.row(response)).toMatchObject({
      token_source: 'estimated',
      output_tokens: '7',
      finish_reason: 'stop',
    });
  });

  it('has chunks without choices that contain something other than usage', async () => {
    const result = { type: 'error', code: 'unavailable', message: 'Not moderated.' };
    const moderation = { input: result, output: result };
    const chunks = await chunksOf(sse([chunkOf({ content: 'a' }), chunkOf({}, 'stop'), { choices: [], moderation }]));
    expect(chunks.at(-1)).toMatchObject({ choices: [], moderation });
  });

  it('keeps the parts of tool calls together', async () => {
    const part = (index: number, id: string | undefined, name: string | undefined, args: string) =>
      chunkOf({
        tool_calls: [
          { index, ...(id && { id, type: 'function' }), function: { ...(name && { name }), arguments: args } },
        ],
      });
    const chunks = await chunksOf(
      sse([
        part(0, 'call_a', 'f', ''),
        part(0, undefined, undefined, '{"a":'),
        part(1, 'call_b', 'g', '{}'),
        part(0, undefined, undefined, '1}'),
        chunkOf({}, 'tool_calls'),
      ]),
    );
    expect(answerOfStream(chunks).choices[0]).toMatchObject({
      toolCalls: [
        { id: 'call_a', name: 'f', arguments: '{"a":1}' },
        { id: 'call_b', name: 'g', arguments: '{}' },
      ],
      finish: 'tool_calls',
    });
  });
});

describe('an upstream’s stream is parsed', () => {
  const event = (delta: object, finish: string | null = null) => JSON.stringify(chunkOf(delta, finish));
  const texts = async (...sent: (string | Buffer)[]) => {
    const chunks = await chunksOf([SSE_HEAD, ...sent.map((text) => bytes(text)), end()]);
    return answerOfStream(chunks).choices[0]?.content;
  };
  const hello = event({ content: 'Hello' });
  const stop = event({}, 'stop');

  it.each([
    ['with CRLF', `data: ${hello}\r\n\r\ndata: ${stop}\r\n\r\ndata: [DONE]\r\n\r\n`],
    ['with CR', `data: ${hello}\r\rdata: ${stop}\r\rdata: [DONE]\r\r`],
    ['with a byte order mark', `\uFEFFdata: ${hello}\n\ndata: ${stop}\n\ndata: [DONE]\n\n`],
    [
      'with comments, names, ids and no space',
      `: hi\n\nevent: message\nid: 1\ndata:${hello}\n\n:\n\nretry: 5\ndata:${stop}\n\n`,
    ],
    ['with data on several lines', `data: ${hello.replace(',', ',\ndata: ')}\n\ndata: ${stop}\n\ndata: [DONE]\n\n`],
    ['with junk behind [DONE]', `data: ${hello}\n\ndata: ${stop}\n\ndata: [DONE]\n\ndata: {broken\n\nabc`],
    ['without [DONE]', `data: ${hello}\n\ndata: ${stop}\n\n`],
    ['whose last event lacks its blank line', `data: ${hello}\n\ndata: ${stop}`],
    ['with events of other kinds', `event: ping\ndata: {}\n\ndata: ${hello}\n\nevent: x\ndata: y\n\ndata: ${stop}\n\n`],
  ])('%s', async (_how, text) => {
    expect(await texts(text)).toBe('Hello');
  });

  it('an upstream’s stream is parsed in single bytes, even within characters', async () => {
    const text = `data: ${event({ content: '世界👍' })}\r\n\r\ndata: ${stop}\r\n\r\ndata: [DONE]\r\n\r\n`;
    const chunks = await chunksOf([SSE_HEAD, drip(text), end()]);
    expect(answerOfStream(chunks).choices[0]?.content).toBe('世界👍');
  });

  it('an upstream’s stream is parsed when it is a JSON completion instead', async () => {
    const chunks = await chunksOf(completion('Hello!'), { stream_options: { include_usage: true } });
    expect(answerOfStream(chunks)).toMatchObject({
      choices: { 0: { content: 'Hello!', finish: 'stop' } },
      usage: { prompt: 11, completion: 3 },
    });
  });
});

describe('the head of a stream', () => {
  it('waits for the first data event, so that an error can still be a status', async () => {
    chat.upstream.enqueue(refusal(429, 'busy', { 'retry-after': '7' }));
    const { headers } = await expectError(await chat.ask({ stream: true }), {
      status: 429,
      type: 'requests',
      code: 'upstream_rate_limited',
    });
    expect(headers.get('retry-after')).toBe('7');
  });

  it.each<[string, Script]>([
    ['comments and pings', [SSE_HEAD, bytes(': hi\n\nevent: ping\ndata:\n\n: hi\n\n'), end()]],
    ['nothing', [SSE_HEAD, end()]],
    ['[DONE] alone', sse([])],
  ])('does not wait for %s', async (_what, script) => {
    chat.upstream.enqueue(script);
    const failed = { status: 502, type: 'server_error', code: 'upstream_incomplete' };
    await expectError(await chat.ask({ stream: true }), failed);
  });

  it.each<[string, Script, number, string]>([
    ['an HTML page', [head(200, { 'content-type': 'text/html' }), bytes('<html>'), end()], 502, 'upstream_error'],
    ['JSON of another kind', json(200, { hello: 'world' }), 502, 'upstream_error'],
    ['an error as JSON', json(200, { error: { message: 'x', code: 503 } }), 503, 'overloaded'],
    ['an error as its first event', sse([{ error: { message: 'x', code: 503 } }]), 503, 'overloaded'],
    ['malformed JSON as its first event', sse(['data: {"choices":[\n\n']), 502, 'upstream_error'],
    ['a body that breaks off', [CHUNKED_HEAD, chunk('dat')], 502, 'upstream_error'],
  ])('is the error’s when the upstream answers with %s', async (_what, script, status, code) => {
    chat.upstream.enqueue([script, end()]);
    await expectError(await chat.ask({ stream: true }), { status, type: 'server_error', code });
  });
});
