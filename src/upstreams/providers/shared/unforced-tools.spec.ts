import { expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { PROVIDERS } from '../providers.js';

const names = ['look_up', 'now'];
const tools = names.map((name) => ({ type: 'function' as const, function: { name } }));
const user = { role: 'user' as const, content: 'Hi' };
const named = { type: 'function' as const, function: { name: 'now' } };

function requestOf(protocol: string, request: Partial<ChatCompletionRequest>, forcedTools: boolean | null = false) {
  const adapter = PROVIDERS.find((one) => one.protocol === protocol);
  const call = providerCall({ messages: [user], tools, ...request });
  return adapter?.toRequest({ ...call, upstreamModel: 'claude-opus-5-5', traits: { ...call.traits, forcedTools } });
}

it('offers a named tool alone and requests its call, if the model cannot be forced', () => {
  const { body, ignored } = requestOf('anthropic', { tool_choice: named }) ?? {};
  expect(body).toMatchObject({
    tools: [{ name: 'now' }],
    tool_choice: { type: 'auto' },
    system: [{ type: 'text', text: 'Call the tool `now` now instead of answering in text.' }],
  });
  expect(ignored).toEqual(['tool_choice']);
});

it('offers all tools if any of them is required and the model cannot be forced', () => {
  const { body } = requestOf('anthropic', { tool_choice: 'required', parallel_tool_calls: false }) ?? {};
  expect(body).toMatchObject({
    tools: [{ name: 'look_up' }, { name: 'now' }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    system: [{ type: 'text', text: 'Call one of the tools now instead of answering in text.' }],
  });
});

it.each(['openai', 'openai-compatible', 'gemini', 'mistral', 'cohere', 'bedrock'])(
  'forces no tool of a model of %s that cannot be forced, with the same instruction',
  (protocol) => {
    const { body, ignored } = requestOf(protocol, { tool_choice: 'required' }) ?? {};
    const text = JSON.stringify(body);
    expect(text).toContain('Call one of the tools now');
    expect(text).not.toMatch(/"required"|"any"|"ANY"|"REQUIRED"/);
    expect(ignored).toContain('tool_choice');
  },
);

it('names function_call of the older format', () => {
  const { tools: _, ...request } = providerCall({
    functions: [{ name: 'now' }],
    function_call: { name: 'now' },
  }).request;
  const { ignored } = requestOf('anthropic', { ...request, tools: [], messages: [user] }) ?? {};
  expect(ignored).toEqual(['function_call']);
});

it.each([null, true])('forces tools of a model for which %s is declared', (forcedTools) => {
  const { body, ignored } = requestOf('anthropic', { tool_choice: named }, forcedTools) ?? {};
  expect(body).toMatchObject({ tool_choice: { type: 'tool', name: 'now' } });
  expect(ignored).toEqual([]);
});

it.each(['auto', 'none', undefined] as const)('leaves the tool choice %s as it is', (choice) => {
  const request = choice === undefined ? {} : { tool_choice: choice };
  expect(requestOf('anthropic', request)).toEqual(requestOf('anthropic', request, null));
});
