import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { loadSettings } from '../src/config/settings.js';
import { PROVIDERS } from '../src/upstreams/providers/providers.js';
import { AGENT_TURN, isInOrder, NEEDED_REASONING } from './support/agent-turn.js';
import { fixtureOf, replay } from './support/native-upstream.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const { upstreams } = loadSettings({ CONFIG_DIR: '.' }, PROVIDERS, join(import.meta.dirname, '../config'));

/** A model that reasons and calls tools at each protocol's upstream in the shipped catalog. */
const MODELS: readonly [protocol: string, model: string][] = [
  ['openai-responses', 'gpt-6.1-sol'],
  ['anthropic', 'claude-sonnet-5.5'],
  ['gemini', 'gemini-3.8-flash'],
  ['mistral', 'mistral-medium-3.5'],
  ['deepseek', 'deepseek-v4.1-flash'],
  ['groq', 'gpt-oss-120b'],
  ['cohere', 'command-a-plus'],
];

const upstream = await ScriptedUpstream.start();
const env = [...upstreams.values()].flatMap(({ name, baseUrl }) => [
  [`${name.toUpperCase()}_API_KEY`, `key-of-${name}`],
  [`${name.toUpperCase()}_BASE_URL`, upstream.url + new URL(baseUrl).pathname.replace(/\/$/, '')],
]);
const gateway = await TestGateway.start({
  env: Object.fromEntries(env),
  config: { 'gateway.yaml': 'retry: { attempts: 1 }' },
});
const { key } = await gateway.createUser({ plan: 'pro' });
const openai = new OpenAI({ apiKey: key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey: key.key, baseURL: gateway.url, maxRetries: 0 });

const described = { name: AGENT_TURN.tool, description: 'Tells the next high water at a harbour' };

/** Two turns of an agent: the second has the whole first answer and the results of its calls. */
type TwoTurns = (model: string, streamed: boolean, next: () => void) => Promise<void>;

const chat: TwoTurns = async (model, streamed, next) => {
  const tools = [{ type: 'function' as const, function: { ...described, parameters: AGENT_TURN.schema } }];
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: AGENT_TURN.question }];
  const request = { model, tools, messages };
  const { choices } = streamed
    ? await openai.chat.completions.stream(request).finalChatCompletion()
    : await openai.chat.completions.create(request);
  const message = choices[0]?.message;
  expect(message?.content).toBe(AGENT_TURN.text);
  const calls = message?.tool_calls ?? [];
  expect(calls).toHaveLength(2);
  const results = calls.map(({ id }, at) => ({ role: 'tool' as const, tool_call_id: id, content: `result ${at}` }));
  next();
  await openai.chat.completions.create({
    ...request,
    messages: [...messages, message as (typeof messages)[0], ...results],
  });
};

const responses: TwoTurns = async (model, streamed, next) => {
  const tools = [{ type: 'function' as const, strict: false, ...described, parameters: AGENT_TURN.schema }];
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: AGENT_TURN.question }];
  const request = { model, tools, input, include: ['reasoning.encrypted_content' as const], store: false };
  const { output, output_text } = streamed
    ? await openai.responses.stream(request).finalResponse()
    : await openai.responses.create(request);
  expect(output_text).toBe(AGENT_TURN.text);
  expect(output.map(({ type }) => type)).toEqual(expect.arrayContaining(['reasoning', 'message', 'function_call']));
  const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
  expect(calls).toHaveLength(2);
  const results = calls.map(({ call_id }, at) => ({
    type: 'function_call_output' as const,
    call_id,
    output: `result ${at}`,
  }));
  next();
  const answered = output as OpenAI.Responses.ResponseInputItem[];
  await openai.responses.create({ ...request, input: [...input, ...answered, ...results] });
};

const messages: TwoTurns = async (model, streamed, next) => {
  const tools = [{ ...described, input_schema: AGENT_TURN.schema }] as unknown as Anthropic.Tool[];
  const requested: Anthropic.MessageParam[] = [{ role: 'user', content: AGENT_TURN.question }];
  const request = { model, tools, max_tokens: 4096, messages: requested, thinking: { type: 'adaptive' as const } };
  const { content, stop_reason } = streamed
    ? await anthropic.messages.stream(request).finalMessage()
    : await anthropic.messages.create(request);
  expect(stop_reason).toBe('tool_use');
  const types = content.map(({ type }) => type);
  expect(types[0]).toBe('thinking');
  // A call's signature may be in a thinking block of its own.
  expect(types.filter((type) => type !== 'thinking')).toEqual(['text', 'tool_use', 'tool_use']);
  const calls = content.filter((block) => block.type === 'tool_use');
  const results = calls.map(({ id }, at) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: `result ${at}`,
  }));
  next();
  await anthropic.messages.create({
    ...request,
    messages: [...requested, { role: 'assistant', content }, { role: 'user', content: results }],
  });
};

const APIS = { chat, responses, messages };

describe.each(MODELS)('two turns of an agent at %s', (protocol, model) => {
  it.each(Object.keys(APIS).flatMap((api) => [[api, false] as const, [api, true] as const]))(
    'keep text, calls, results and needed reasoning in order: %s (streamed: %s)',
    async (api, streamed) => {
      upstream.enqueue(replay(fixtureOf(protocol, 'agent-turn', streamed)));
      await APIS[api as keyof typeof APIS](model, streamed, () => {
        upstream.enqueue(replay(fixtureOf(protocol, 'text', false)));
      });
      const body = upstream.requests.at(-1)?.json();
      const needed = NEEDED_REASONING[protocol];
      expect(isInOrder(body, [AGENT_TURN.text, 'result 0', 'result 1'])).toBe(true);
      if (needed) expect(isInOrder(body, [needed, 'result 0'])).toBe(true);
    },
  );
});
