import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { answerOf, IMAGE_QUESTION, ProviderGateway } from './support/provider-gateway.js';
import { sse } from './support/script.js';

const model = 'command-a-plus';
const folder = join(import.meta.dirname, '../src/upstreams/providers/cohere/fixtures');

const provider = await ProviderGateway.start('COHERE', 'co-1');
const { upstream, client } = provider;

const messages = IMAGE_QUESTION;
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'get_weather' } }];

it('answers a JSON request with an image and tools', async () => {
  upstream.enqueue(answerOf(folder, 'parallel-tools.json'));
  const request = { model, messages, tools, tool_choice: 'required' as const, max_completion_tokens: 100, top_p: 0.5 };
  const { choices, usage } = await client.chat.completions.create(request);
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  expect(choices[0]?.message.tool_calls).toHaveLength(2);
  expect(usage).toMatchObject({ prompt_tokens: 57, completion_tokens: 33, total_tokens: 90 });

  const sent = upstream.requests.at(-1);
  expect(sent?.path).toBe('/v2/chat');
  expect(sent?.headers.authorization).toBe('Bearer co-1');
  expect(sent?.json()).toMatchObject({
    model: 'command-a-plus-05-2026',
    messages,
    tools,
    tool_choice: 'REQUIRED',
    max_tokens: 100,
    p: 0.5,
    stream: false,
  });
});

it('streams tool calls, and sends them back with their plan', async () => {
  upstream.enqueue(answerOf(folder, 'parallel-tools-stream.json'));
  const stream = client.chat.completions.stream({ model, messages, tools, stream_options: { include_usage: true } });
  const { choices, usage } = await stream.finalChatCompletion();
  const message = choices[0]?.message;
  const calls = message?.tool_calls ?? [];
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  expect(calls).toMatchObject([
    { function: { name: 'get_weather', arguments: '{"city": "Paris"}' } },
    { function: { name: 'get_weather', arguments: '{"city": "Oslo"}' } },
    { function: { name: 'get_time', arguments: '{}' } },
  ]);
  expect(usage).toMatchObject({ prompt_tokens: 59, completion_tokens: 41, total_tokens: 100 });

  upstream.enqueue(answerOf(folder, 'text-cited-stream.json'));
  const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'Sunny' }));
  const history = [...messages, message as OpenAI.ChatCompletionMessageParam, ...results];
  const answer = await client.chat.completions.stream({ model, messages: history, tools }).finalChatCompletion();
  expect(answer.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: 'Berth 17 was drawn for you.' },
  });
  expect(upstream.requests.at(-1)?.json()).toMatchObject({
    stream: true,
    messages: [
      { role: 'user' },
      { role: 'assistant', tool_plan: 'I will look both up.', tool_calls: calls.map(({ id }) => ({ id })) },
      ...results,
    ],
  });
});

it('a request that the API cannot express is a 400 that names the field, without a call', async () => {
  const before = upstream.requests.length;
  const request = { model, messages };
  await expect(client.chat.completions.create({ ...request, n: 2 })).rejects.toMatchObject({ status: 400, param: 'n' });
  await expect(client.chat.completions.create({ ...request, logit_bias: { 42: 1 } })).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_value',
    param: 'logit_bias',
  });
  expect(upstream.requests).toHaveLength(before);
});

it('a failed answer is a status before its first text, and an error event within it', async () => {
  const request = { model, messages: [{ role: 'user' as const, content: 'Hi' }], stream: true as const };
  const failed = { type: 'message-end', delta: { finish_reason: 'ERROR', usage: {}, error: 'No valid response.' } };
  upstream.enqueue(sse([{ type: 'message-start', delta: { message: { content: [] } } }, failed]));
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 502, code: 'upstream_error' });

  upstream.enqueue(answerOf(folder, 'error-mid-stream.json'));
  const stream = await client.chat.completions.create(request);
  let content = '';
  const reading = (async () => {
    for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? '';
  })();
  await expect(reading).rejects.toMatchObject({ code: 'upstream_error' });
  expect(content).toBe('Once upon a time');
});
