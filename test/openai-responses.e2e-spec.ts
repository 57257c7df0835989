import Anthropic from '@anthropic-ai/sdk';
import { expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { readExchange } from './support/exchanges.js';
import { fixtureOf, replay } from './support/native-upstream.js';
import { json, sse } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const model = 'gpt-6.1-sol';
const folder = `${import.meta.dirname}/../src/upstreams/providers/openai-responses/fixtures`;
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'get_weather' } }];
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How is Paris?' }];

const upstream = await ScriptedUpstream.start();
const gateway = await TestGateway.start({
  env: { OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-1' },
  config: { 'gateway.yaml': 'retry: { attempts: 1 }' },
});
const { key } = await gateway.createUser({ plan: 'pro' });
const client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: key.key, baseURL: gateway.url, maxRetries: 0 });

it('a reasoning model calls functions in the Responses API, and gets its reasoning back through the client', async () => {
  upstream.enqueue(replay(readExchange(folder, 'parallel-tools-stream.json')));
  const stream = client.chat.completions.stream({ model, messages, tools });
  const { choices } = await stream.finalChatCompletion();
  const message = choices[0]?.message;
  const calls = message?.tool_calls ?? [];
  expect(choices[0]?.finish_reason).toBe('tool_calls');
  expect(calls).toMatchObject([{ id: 'call_paris' }, { id: 'call_oslo' }]);
  const first = upstream.requests.at(-1);
  expect(first?.path).toBe('/v1/responses');
  expect(first?.headers.authorization).toBe('Bearer sk-1');
  expect(first?.json()).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });

  upstream.enqueue(replay(fixtureOf('openai-responses', 'text', false)));
  const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'Sunny' }));
  const history = [...messages, message as OpenAI.ChatCompletionMessageParam, ...results];
  const answer = await client.chat.completions.create({ model, messages: history, tools });
  expect(answer).toMatchObject({ model, choices: [{ message: { content: 'Sylt' } }] });
  expect(upstream.requests.at(-1)?.json()).toMatchObject({
    input: [
      { type: 'message', role: 'user' },
      { type: 'reasoning', encrypted_content: expect.stringMatching(/^gAAAAA/) },
      { type: 'function_call', call_id: 'call_paris' },
      { type: 'function_call', call_id: 'call_oslo' },
      { type: 'function_call_output', call_id: 'call_paris', output: 'Sunny' },
      { type: 'function_call_output', call_id: 'call_oslo', output: 'Sunny' },
    ],
  });
});

it('sends chat and Messages clients an answer whose server streams whole items only', async () => {
  const text = { type: 'output_text', text: 'Let me look.', annotations: [] };
  const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [text] };
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'get_weather',
    arguments: '{"city":"Oslo"}',
  };
  const usage = { input_tokens: 12, output_tokens: 7, total_tokens: 19 };
  const response = { status: 'completed', output: [message, call], usage };
  const script = sse([
    { type: 'response.created', response: { status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.completed', response },
  ]);

  upstream.enqueue(script);
  const { choices } = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion();
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: 'Let me look.', tool_calls: [{ id: 'call_1', function: { arguments: '{"city":"Oslo"}' } }] },
  });

  upstream.enqueue(script);
  const answer = await anthropic.messages
    .stream({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'How is Oslo?' }],
      tools: [{ name: 'get_weather', input_schema: { type: 'object' } }],
    })
    .finalMessage();
  expect(answer.stop_reason).toBe('tool_use');
  expect(answer.content).toMatchObject([
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', name: 'get_weather', input: { city: 'Oslo' } },
  ]);
});

it('reasoning that the upstream cannot read is left out, with a second request', async () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'of-another-account' };
  const called = {
    ...{ id: 'call_1', type: 'function' as const, function: { name: 'get_weather', arguments: '{}' } },
    extra_content: { openai: { reasoning_items: [reasoning] } },
  };
  const history = [
    ...messages,
    { role: 'assistant' as const, tool_calls: [called] },
    { role: 'tool' as const, tool_call_id: 'call_1', content: 'Sunny' },
  ];
  const message = 'The encrypted content for item rs_1 could not be verified.';
  upstream.enqueue(json(400, { error: { message, code: 'invalid_encrypted_content', param: null } }));
  upstream.enqueue(replay(fixtureOf('openai-responses', 'text', false)));
  const { response } = await client.chat.completions.create({ model, messages: history, tools }).withResponse();
  expect(upstream.requests.slice(-2).map(({ body }) => body.includes('of-another-account'))).toEqual([true, false]);
  expect(upstream.requests.at(-1)?.json()).toMatchObject({
    input: [{ role: 'user' }, { type: 'function_call', call_id: 'call_1' }, { type: 'function_call_output' }],
  });
  expect(response.headers.get('x-gateway-ignored-parameters')).toBe('messages[1].tool_calls[0].extra_content');
});

it('answers legacy function requests in the legacy format', async () => {
  upstream.enqueue(replay(fixtureOf('openai-responses', 'tools', false)));
  const functions = [{ name: 'get_weather', parameters: { type: 'object' } }];
  const { choices } = await client.chat.completions.create({ model, messages, functions });
  expect(choices[0]).toMatchObject({
    finish_reason: 'function_call',
    message: { function_call: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
  });
  expect(upstream.requests.at(-1)?.path).toBe('/v1/responses');
});

it('a sampling field that the model refuses is dropped, as in Chat Completions', async () => {
  const refused = "Unsupported parameter: 'temperature' is not supported with this model.";
  upstream.enqueue(json(400, { error: { message: refused, type: 'invalid_request_error', param: 'temperature' } }));
  upstream.enqueue(replay(fixtureOf('openai-responses', 'text', false)));
  const { response } = await client.chat.completions
    .create({ model, messages, tools, temperature: 0.3 })
    .withResponse();
  expect(response.headers.get('x-gateway-ignored-parameters')).toBe('temperature');
  expect(upstream.requests.at(-1)?.json()).not.toHaveProperty('temperature');
});

it('an answer that fails before its first text is a status', async () => {
  const request = { model, messages, tools, stream: true as const };
  upstream.enqueue(replay(readExchange(folder, 'error-429.json')));
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 429 });

  const created = { type: 'response.created', response: { status: 'in_progress' } };
  const error = { type: 'error', error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Wait.' } };
  upstream.enqueue(sse([created, error], { done: false }));
  await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 429 });
});
