import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { readExchange } from './support/exchanges.js';
import { answerOf, IMAGE_QUESTION, ProviderGateway } from './support/provider-gateway.js';
import { json, reply } from './support/script.js';

const MODELS = ['claude-opus-5.5', 'claude-sonnet-5.5', 'claude-haiku-5.5'];
const folder = join(import.meta.dirname, '../src/upstreams/providers/anthropic/fixtures');

const provider = await ProviderGateway.start('ANTHROPIC', 'sk-ant-1');
const { upstream, gateway, client } = provider;

const messages = IMAGE_QUESTION;
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'get_weather' } }];

describe.each(MODELS)('%s', (model) => {
  it('answers a JSON request with an image and tools', async () => {
    upstream.enqueue(answerOf(folder, 'parallel-tools.json'));
    const { choices, usage } = await client.chat.completions.create({ model, messages, tools });
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(choices[0]?.message.tool_calls).toHaveLength(2);
    expect(usage?.total_tokens).toBeGreaterThan(0);

    const request = upstream.requests.at(-1);
    expect(request?.path).toBe('/v1/messages');
    expect(request?.headers).toMatchObject({ 'x-api-key': 'sk-ant-1', 'anthropic-version': '2026-10-21' });
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.json()).toMatchObject({
      model: model.replace('5.5', '5-5'),
      max_tokens: expect.any(Number),
      stream: false,
      messages: [{ role: 'user', content: [{ type: 'text' }, { type: 'image', source: { data: 'AAAA' } }] }],
      tools: [{ name: 'get_weather' }],
    });
  });

  it('streams', async () => {
    upstream.enqueue(answerOf(folder, 'parallel-tools-stream.json'));
    const stream = client.chat.completions.stream({ model, messages, tools, stream_options: { include_usage: true } });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'Looking both up.',
        tool_calls: [{ function: { arguments: '{"city": "Paris"}' } }, { function: { arguments: '{"city": "Oslo"}' } }],
      },
    });
    expect(usage).toMatchObject({ prompt_tokens: 25, completion_tokens: 96, total_tokens: 121 });
  });
});

it('large integers (over 2^53) keep their digits in both directions', async () => {
  const digits = '{"order":12345678901234567891}';
  const { body } = readExchange(folder, 'parallel-tools.json');
  const answer = JSON.stringify(body).replace(/"input":\{[^}]*\}/, `"input":${digits}`);
  upstream.enqueue(reply(200, { 'content-type': 'application/json' }, answer));
  const called = { id: 'toolu_1', type: 'function' as const, function: { name: 'get_weather', arguments: digits } };
  const { choices } = await client.chat.completions.create({
    model: 'claude-sonnet-5.5',
    messages: [
      ...messages,
      { role: 'assistant', tool_calls: [called] },
      { role: 'tool', tool_call_id: 'toolu_1', content: '' },
    ],
    tools,
  });
  expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: digits } });
  expect(upstream.requests.at(-1)?.body).toContain(`"input":${digits}`);
});

it('unsupported fields are dropped and reported', async () => {
  upstream.enqueue(answerOf(folder, 'parallel-tools.json'));
  const requested = { model: 'claude-sonnet-5.5', messages, seed: 7, verbosity: 'low' as const, store: false };
  const { response } = await client.chat.completions.create(requested).withResponse();
  expect(response.headers.get('x-gateway-ignored-parameters')).toBe('seed, verbosity');
});

it('a penalty that the API refuses is dropped and reported', async () => {
  const refused = { type: 'invalid_request_error', message: 'frequency_penalty: Extra inputs are not permitted' };
  upstream.enqueue(json(400, { type: 'error', error: refused })).enqueue(answerOf(folder, 'text.json'));
  const request = {
    model: 'claude-opus-5.5',
    messages: [{ role: 'user' as const, content: 'Hi' }],
    frequency_penalty: 1,
  };
  const { response } = await client.chat.completions.create(request).withResponse();
  expect(response.headers.get('x-gateway-ignored-parameters')).toBe('frequency_penalty');
  expect(upstream.requests.at(-1)?.json()).not.toHaveProperty('frequency_penalty');
});

it('thinking that the API cannot verify is left out, with a second request', async () => {
  const thought = { type: 'thinking', thinking: 'Hm.', signature: 'of-another-account' };
  const called = {
    ...{ id: 'toolu_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } },
    extra_content: { anthropic: { thinking_blocks: [thought] } },
  };
  const history = [
    { role: 'user' as const, content: 'How warm is it?' },
    { role: 'assistant' as const, tool_calls: [called] },
    { role: 'tool' as const, tool_call_id: 'toolu_1', content: '21' },
  ];
  const message = 'messages.1.content.0: Invalid `signature` in `thinking` block';
  const refused = { type: 'error', error: { type: 'invalid_request_error', message } };
  upstream.enqueue(json(400, refused)).enqueue(answerOf(folder, 'text.json'));
  const tools = [{ type: 'function' as const, function: { name: 'look' } }];
  const request = { model: 'claude-opus-5.5', messages: history, tools };
  const { response } = await client.chat.completions.create(request).withResponse();
  expect(upstream.requests.slice(-2).map(({ body }) => body.includes('of-another-account'))).toEqual([true, false]);
  expect(response.headers.get('x-gateway-ignored-parameters')).toBe('messages[1].tool_calls[0].extra_content');
});

it('a request that the API cannot express is a 400 that names the field, without a call', async () => {
  const before = upstream.requests.length;
  const request = { model: 'claude-opus-5.5', messages, n: 2 };
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 400, param: 'n' });
  const ask = (file: object) => {
    const content = [{ type: 'file' as const, file }];
    return client.chat.completions.create({ model: 'claude-opus-5.5', messages: [{ role: 'user', content }] });
  };
  await expect(ask({ file_id: 'file-1' })).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param: 'messages[0].content[0].file.file_id',
  });
  await expect(ask({ file_data: 'data:application/zip;base64,AAAA' })).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_value',
  });
  expect(upstream.requests).toHaveLength(before);
  const [row] = (await gateway.calls()).slice(-1);
  expect(row).toMatchObject({ status: 'failed', error_code: 'unsupported_value', upstream: null, attempts: [] });
});

it('an overload is a 503 before the answer, and an error event within it', async () => {
  const request = { model: 'claude-opus-5.5', messages: [{ role: 'user' as const, content: 'Hi' }] };
  upstream.enqueue(answerOf(folder, 'error-529.json'));
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 503, code: 'overloaded' });

  upstream.enqueue(answerOf(folder, 'error-mid-stream.json'));
  const stream = await client.chat.completions.create({ ...request, stream: true });
  let content = '';
  const reading = (async () => {
    for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? '';
  })();
  await expect(reading).rejects.toMatchObject({ code: 'overloaded' });
  expect(content).toBe('Once upon a time');
});
