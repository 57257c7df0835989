import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { PROVIDERS } from '../providers.js';
import { nearestEffort } from '../shared/requested-tools.js';
import { openAiEfforts } from './request.js';

const question = { role: 'user' as const, content: 'Hello' };

function bodyOf(protocol: string, fields: Partial<ChatCompletionRequest>): JsonObject {
  const adapter = PROVIDERS.find((candidate) => candidate.protocol === protocol);
  if (!adapter) throw new Error(`no adapter ${protocol}`);
  return adapter.toRequest(providerCall({ messages: [question], ...fields })).body;
}

const native = ['anthropic', 'bedrock', 'cohere', 'gemini', 'openai-responses'];
const protocols = PROVIDERS.map(({ protocol }) => protocol).filter((protocol) => !native.includes(protocol));
/** A dialect that lists the fields it excludes, and one that lists the fields it accepts; neither has own functions. */
const lax = 'openai';
const strict = 'xai';
const knowingDeveloper = ['openai', 'openrouter'];
/** The API's name for reasoning that it needs back. */
const thoughtsField: Readonly<Record<string, string>> = {
  deepseek: 'reasoning_content',
  ollama: 'reasoning',
  vllm: 'reasoning',
};

describe('request body', () => {
  it.each(protocols)('%s: has the upstream model and stream', (protocol) => {
    expect(bodyOf(protocol, {})).toEqual({ model: 'upstream-model', messages: [question], stream: false });
    expect(bodyOf(protocol, { stream: true })).toMatchObject({ model: 'upstream-model', stream: true });
  });

  const listing = protocols.filter((protocol) => !['vllm', 'openai-compatible'].includes(protocol));

  it.each(listing)('%s: forwards temperature, top_p, stop and the output limit', (protocol) => {
    const body = bodyOf(protocol, { temperature: 0, top_p: 0.5, stop: ['END'], max_tokens: 9 });
    expect(body).toMatchObject({ temperature: 0, top_p: 0.5, stop: ['END'] });
    expect([body.max_tokens, body.max_completion_tokens].filter((limit) => limit !== undefined)).toEqual([9]);
  });

  it.each([
    ['openai', 'max_completion_tokens'],
    ['mistral', 'max_tokens'],
    ['deepseek', 'max_tokens'],
    ['xai', 'max_completion_tokens'],
    ['groq', 'max_completion_tokens'],
    ['azure', 'max_completion_tokens'],
    ['openrouter', 'max_completion_tokens'],
    ['together', 'max_tokens'],
    ['ollama', 'max_tokens'],
    ['vllm', 'max_tokens'],
    ['perplexity', 'max_tokens'],
    ['openai-compatible', 'max_tokens'],
  ])('%s: names the output limit %s, and prefers the newer field', (protocol, name) => {
    expect(bodyOf(protocol, { max_completion_tokens: 5 })[name]).toBe(5);
    expect(bodyOf(protocol, { max_tokens: 9, max_completion_tokens: 5 })[name]).toBe(5);
    expect(bodyOf(protocol, { max_tokens: 9, max_completion_tokens: null })[name]).toBe(9);
  });

  // The contract of requests tests the other dialects.
  it.each(['openai', 'azure', 'vllm', 'openai-compatible'])('%s: requests usage in a stream', (protocol) => {
    const requested = { stream: true, stream_options: { include_usage: false } };
    expect(bodyOf(protocol, requested).stream_options).toEqual({ include_usage: true });
    const spelled = { include_usage: true, Include_Usage: false };
    expect(bodyOf(protocol, { ...requested, stream_options: spelled }).stream_options).toEqual({ include_usage: true });
    expect(bodyOf(protocol, { stream_options: { include_usage: true } })).not.toHaveProperty('stream_options');
  });

  it('mistral: does not request usage, which is always sent', () => {
    const requested = { stream: true, stream_options: { include_usage: true } };
    expect(bodyOf('mistral', requested)).not.toHaveProperty('stream_options');
  });

  it.each([lax, strict])('%s: drops null fields', (protocol) => {
    const nulls = { temperature: null, stop: null, tools: undefined, n: null, stream_options: null, metadata: null };
    expect(bodyOf(protocol, { ...nulls, stream: null })).toEqual(bodyOf(protocol, {}));
  });

  it('xai: drops fields that the API would refuse', () => {
    const fields = {
      store: true,
      prompt_cache_retention: '24h',
      safety_identifier: 'x',
      made_up: 1,
      __proto__: { polluted: 1 },
    };
    expect(bodyOf(strict, fields)).toEqual(bodyOf(strict, {}));
  });

  it("openai: forwards the caller's unknown fields, but never a prototype", () => {
    const fields = JSON.parse('{"store":true,"made_up":{"x":1},"__proto__":{"polluted":1}}');
    const body = bodyOf(lax, fields);
    expect(body).toMatchObject({ store: true, made_up: { x: 1 } });
    expect(body.polluted).toBeUndefined();
  });

  it.each(protocols.filter((protocol) => !knowingDeveloper.includes(protocol)))(
    '%s: converts developer to system',
    (protocol) => {
      const messages = [{ role: 'developer' as const, content: 'Be brief.' }, question];
      expect(bodyOf(protocol, { messages }).messages).toEqual([{ role: 'system', content: 'Be brief.' }, question]);
    },
  );

  it.each(knowingDeveloper)('%s: keeps the developer role', (protocol) => {
    const messages = [{ role: 'developer' as const, content: 'Be brief.' }, question];
    expect(bodyOf(protocol, { messages }).messages).toBe(messages);
  });

  it.each(['mistral', strict, 'perplexity'])(
    '%s: converts legacy function calls and results to tool calls',
    (protocol) => {
      const called = { name: 'weather', arguments: '{"city":"Rome"}' };
      const messages: ChatCompletionRequest['messages'] = [
        question,
        { role: 'assistant', content: null, function_call: called },
        { role: 'function', name: 'weather', content: 'sunny' },
      ];
      const [, call, result] = bodyOf(protocol, { messages }).messages as JsonObject[];
      const id = (call as { tool_calls: { id: string }[] }).tool_calls[0]?.id;
      expect(call).toEqual({
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: called }],
      });
      expect(result).toEqual({ role: 'tool', tool_call_id: id, content: 'sunny' });
    },
  );

  const readingHistory = [lax, strict, 'mistral', 'deepseek', 'ollama', 'vllm', 'openai-compatible'];

  it.each(readingHistory)('%s: drops reasoning of another upstream, unless the API needs its own back', (protocol) => {
    const answer = { role: 'assistant' as const, content: 'Hi', reasoning_content: 'They greet me.' };
    const [, sent] = bodyOf(protocol, { messages: [question, answer, question] }).messages as JsonObject[];
    const field = thoughtsField[protocol];
    expect(sent).toEqual({ role: 'assistant', content: 'Hi', ...(field && { [field]: 'They greet me.' }) });
  });

  it.each([
    ['mistral', {}],
    ['groq', { name: 'Ada' }],
  ])('%s: drops message fields that the API would refuse', (protocol, known) => {
    const messages: ChatCompletionRequest['messages'] = [
      { role: 'user', content: 'Hello', name: 'Ada' },
      { role: 'assistant', content: 'Hi', refusal: null, annotations: [], audio: null, tool_calls: [] },
      question,
    ];
    expect(bodyOf(protocol, { messages }).messages).toEqual([
      { ...question, ...known },
      { role: 'assistant', content: 'Hi' },
      question,
    ]);
  });

  it('openai: shortens the id of a tool result whose message has an empty list of calls, as in its call', () => {
    const id = 'x'.repeat(50);
    const messages = [
      question,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: 'done', tool_calls: [] },
    ] as ChatCompletionRequest['messages'];
    const [, call, result] = bodyOf('openai', { messages }).messages as JsonObject[];
    const sent = (call as { tool_calls: { id: string }[] }).tool_calls[0]?.id;
    expect(sent).toMatch(/^call_/);
    expect(result).toEqual({ role: 'tool', tool_call_id: sent, content: 'done' });
  });

  it.each([lax, strict, 'mistral', 'perplexity'])(
    '%s: drops assistant messages without supported content',
    (protocol) => {
      const silent = { role: 'assistant' as const, content: null, refusal: null, tool_calls: [] };
      expect(bodyOf(protocol, { messages: [question, silent, question] }).messages).toHaveLength(
        protocol === 'perplexity' ? 1 : 2,
      );
    },
  );

  it('mistral: has its own names for seed and a required tool choice', () => {
    expect(bodyOf('mistral', { seed: 7, tool_choice: 'required' })).toMatchObject({
      random_seed: 7,
      tool_choice: 'any',
    });
    expect(bodyOf('mistral', { seed: 7 })).not.toHaveProperty('seed');
  });

  it('mistral: has tool call ids of nine letters and digits, the same for call and result', () => {
    const messages: ChatCompletionRequest['messages'] = [
      {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'a', arguments: '{}' } },
          { id: 'Nr1uNItcS', type: 'function', function: { name: 'b', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '1' },
      { role: 'tool', tool_call_id: 'Nr1uNItcS', content: '2' },
    ];
    const sent = bodyOf('mistral', { messages }).messages as [
      { tool_calls: { id: string }[] },
      ...{ tool_call_id: string }[],
    ];
    const ids = sent[0].tool_calls.map(({ id }) => id);
    expect(ids).toEqual([expect.stringMatching(/^[A-Za-z0-9]{9}$/), 'Nr1uNItcS']);
    expect(sent.slice(1)).toMatchObject(ids.map((id) => ({ tool_call_id: id })));
  });

  it('deepseek: disables thinking with its own field', () => {
    expect(bodyOf('deepseek', { reasoning_effort: 'none' })).toMatchObject({ thinking: { type: 'disabled' } });
    expect(bodyOf('deepseek', { reasoning_effort: 'none' })).not.toHaveProperty('reasoning_effort');
    expect(bodyOf('deepseek', { reasoning_effort: 'high' })).toMatchObject({ reasoning_effort: 'high' });
  });

  it('groq: has only its own service tiers', () => {
    expect(bodyOf('groq', { service_tier: 'flex' })).toMatchObject({ service_tier: 'flex' });
    expect(bodyOf('groq', { service_tier: 'priority' })).not.toHaveProperty('service_tier');
  });

  // The others have no functions for messages or conversations.
  it.each([lax, strict, 'mistral', 'groq', 'perplexity', 'ollama', 'vllm', 'openai-compatible'])(
    '%s: passes an unchanged conversation on as the same list',
    (protocol) => {
      const messages = [{ role: 'system' as const, content: 'Be brief.' }, question];
      expect(bodyOf(protocol, { messages }).messages).toBe(messages);
    },
  );
});

it('knows the levels of model families, and forwards any effort for unknown models', () => {
  expect(nearestEffort('minimal', openAiEfforts('gpt-5.6-sol') ?? [])).toBe('low');
  expect(openAiEfforts('gpt-5-nano')).toContain('minimal');
  expect(openAiEfforts('o3-mini')).toEqual(['low', 'medium', 'high']);
  for (const model of ['gpt-4.1', 'gpt-5-pro', 'my-deployment']) expect(openAiEfforts(model)).toBeUndefined();
});
