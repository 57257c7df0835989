import { describe, expect, it } from '@jest/globals';
import type { ChatCompletion } from '../src/upstreams/contract/chat.types.js';
import { completion, USAGE } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { expectError } from './support/error-reply.js';
import { schemaFaults } from './support/openai-schema.js';
import { bytes, end, head, json, reply, reset, type Script, sse } from './support/script.js';

const chat = await ChatTest.start();

async function answer(script: Script, fields: object = {}): Promise<ChatCompletion> {
  chat.upstream.enqueue(script);
  const response = await chat.ask(fields);
  expect(response.status).toBe(200);
  const body = (await response.json()) as ChatCompletion;
  expect(schemaFaults('completion', body)).toEqual([]);
  return body;
}

describe('a JSON answer', () => {
  it('is one completion, valid by the schema, with our id, the public model and the upstream’s usage', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { id, created, ...rest } = await answer(completion('Hello!'), { model: 'mistral-small-4' });
    expect(rest).toEqual({
      object: 'chat.completion',
      model: 'mistral-small-4',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello!', refusal: null },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: USAGE,
    });
    expect(id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
    expect(created).toBeGreaterThanOrEqual(before);
    expect(created).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('has exactly these headers', async () => {
    chat.upstream.enqueue([
      head(200, {
        'content-type': 'application/json',
        'set-cookie': 'a=b',
        server: 'theirs',
        'x-request-id': 'theirs',
      }),
      bytes(
        JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }],
        }),
      ),
      end(),
    ]);
    const response = await chat.ask();
    const body = await response.text();
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'x-gateway-attempts': '1',
      'x-request-id': expect.stringMatching(/^req_[0-9a-f]{32}$/),
      'openai-processing-ms': expect.stringMatching(/^\d+$/),
      date: expect.any(String),
      connection: 'keep-alive',
      'keep-alive': 'timeout=75',
    });
  });

  it('has estimated usage when the upstream reports none, marked as such in the ledger', async () => {
    chat.upstream.enqueue(completion('Hello there, how are you?', null));
    const response = await chat.ask({ messages: [{ role: 'user', content: 'Say <|endoftext|> hello.' }] });
    const { usage } = (await response.json()) as ChatCompletion;
    expect(usage).toEqual({
      prompt_tokens: expect.any(Number),
      completion_tokens: 7,
      total_tokens: expect.any(Number),
    });
    expect(usage?.prompt_tokens).toBeGreaterThan(8);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + 7);
    expect(await chat.row(response)).toMatchObject({
      status: 'settled',
      token_source: 'estimated',
      input_tokens: String(usage?.prompt_tokens),
      output_tokens: '7',
    });
  });

  it('has the upstream’s tool calls with unchanged arguments', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{ "a" : "é"\n}' } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const { choices } = await answer(json(200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    expect(choices).toMatchObject([{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }]);
  });

  it('has every choice', async () => {
    const choice = (index: number) => ({
      index,
      message: { role: 'assistant', content: `${index}` },
      finish_reason: 'stop',
    });
    const { choices } = await answer(json(200, { choices: [choice(0), choice(1)], usage: USAGE }), { n: 2 });
    expect(choices.map(({ message }) => message.content)).toEqual(['0', '1']);
  });

  it('is read completely, however it is split', async () => {
    const body = Buffer.from(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content: '世界' }, finish_reason: 'stop' }],
      }),
    );
    const { choices } = await answer([
      head(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) }),
      ...[...body].map((byte) => bytes(Uint8Array.of(byte))),
    ]);
    expect(choices[0]?.message.content).toBe('世界');
  });
});

describe('an answer that is not a completion is a 502', () => {
  const failed = { status: 502, type: 'server_error', code: 'upstream_error' };
  const jsonHead = { 'content-type': 'application/json' };

  it.each<[string, Script]>([
    ['an HTML page', reply(200, { 'content-type': 'text/html' }, '<html>Welcome</html>')],
    ['an HTML page that calls itself JSON', reply(200, jsonHead, '<html>Welcome</html>')],
    ['a stream that was not asked for', sse([{ choices: [] }])],
    ['JSON of another kind', json(200, { hello: 'world' })],
    ['JSON null', reply(200, jsonHead, 'null')],
    ['half a body', [head(200, { ...jsonHead, 'content-length': '1000' }), bytes('{"choices":[{'), end()]],
    ['JSON that ends too early', reply(200, jsonHead, '{"choices":[{')],
    ['an empty body', reply(200, jsonHead, '')],
    ['no content', reply(204)],
    ['a redirect', reply(307, { location: '/v1/elsewhere' })],
    ['no HTTP', [bytes('SSH-2.0-OpenSSH_9.2\r\n\r\n'), end()]],
    ['a connection reset in the body', [head(200, { ...jsonHead, 'content-length': '9' }), bytes('{'), reset()]],
  ])('%s', async (_what, script) => {
    const requested = chat.upstream.requests.length;
    chat.upstream.enqueue(script);
    const response = await chat.ask();
    const { message } = await expectError(response, failed);
    expect(message).not.toMatch(/html|hello|choices/i);
    expect(chat.upstream.requests.length - requested).toBe(1);
    expect(await chat.row(response)).toMatchObject({ status: 'failed', error_code: 'upstream_error' });
  });

  it('an error with status 200 is treated as that error', async () => {
    chat.upstream.enqueue(json(200, { error: { message: 'slow down', type: 'rate_limit_error', code: 429 } }));
    await expectError(await chat.ask(), { status: 429, type: 'requests', code: 'upstream_rate_limited' });
  });
});
