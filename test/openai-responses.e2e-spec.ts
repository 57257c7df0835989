import { afterAll, beforeAll, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { readExchange } from './support/exchanges.js';
import { fixtureOf, replay } from './support/native-upstream.js';
import { json, sse } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const model = 'gpt-5.6-sol';
const folder = `${import.meta.dirname}/../src/upstreams/providers/openai-responses/fixtures`;
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'get_weather' } }];
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How is Paris?' }];

let upstream: ScriptedUpstream;
let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
  gateway = await TestGateway.start({
    env: { OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-1' },
    config: { 'gateway.yaml': 'retry: { attempts: 1 }' },
  });
  const { key } = await gateway.createUser({ plan: 'pro' });
  client = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway?.stop();
  await upstream?.close();
});

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
