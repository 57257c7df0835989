import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import { GatewayError } from '../../../common/gateway.error.js';
import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { PROVIDERS } from '../providers.js';

const tools: ChatCompletionRequest['tools'] = [{ type: 'function', function: { name: 'now' } }];
const custom: ChatCompletionRequest['tools'] = [{ type: 'custom', custom: { name: 'sql' } }];
const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'Hello' }];

function sent(
  protocol: string,
  reasonsWithoutTools: ProviderCall['reasonsWithoutTools'],
  fields: Partial<ChatCompletionRequest>,
  settings: Record<string, string> = {},
) {
  const adapter = PROVIDERS.find((candidate) => candidate.protocol === protocol);
  if (!adapter) throw new Error(`no adapter ${protocol}`);
  return adapter.toRequest({ ...providerCall({ messages, ...fields }), reasonsWithoutTools, settings });
}

describe('a model that cannot use function tools while reasoning in Chat Completions', () => {
  it.each([
    ['openai', '/responses', '/chat/completions'],
    ['azure', '/openai/v1/responses', '/openai/v1/chat/completions'],
  ])('%s: uses the Responses API only for function tools', (protocol, responses, chat) => {
    expect(sent(protocol, 'always', { tools }).path).toBe(responses);
    expect(sent(protocol, 'always', { tools, reasoning_effort: 'low' }).path).toBe(responses);
    expect(sent(protocol, 'asked', { tools, reasoning_effort: 'low' }).path).toBe(responses);
    expect(sent(protocol, 'asked', { tools }).path).toBe(chat);
    expect(sent(protocol, null, { tools, reasoning_effort: 'low' }).path).toBe(chat);
    expect(sent(protocol, 'always', { reasoning_effort: 'low' }).path).toBe(chat);
    expect(sent(protocol, 'always', { tools: custom }).path).toBe(chat);
    expect(sent(protocol, 'always', { tools, reasoning_effort: 'none' }).path).toBe(chat);
  });

  it('requests reasoning in a format that can be sent back', () => {
    expect(sent('openai', 'always', { tools }).body).toMatchObject({ include: ['reasoning.encrypted_content'] });
  });

  it('uses Chat Completions, without reasoning, for fields that only Chat Completions supports', () => {
    expect(sent('openai', 'always', { tools, stop: 'END' })).toMatchObject({
      path: '/chat/completions',
      body: { stop: 'END', reasoning_effort: 'none' },
    });
    expect(sent('openai', 'always', { stop: 'END' }).body).not.toHaveProperty('reasoning_effort');
    expect(sent('openai', 'asked', { tools, stop: 'END' }).body).not.toHaveProperty('reasoning_effort');
  });

  it('refuses a field that neither API supports together with an effort', () => {
    const both = () => sent('openai', 'always', { tools, stop: 'END', reasoning_effort: 'high' });
    expect(both).toThrow(GatewayError);
    expect(both).toThrow(expect.objectContaining({ status: 400, body: expect.objectContaining({ param: 'stop' }) }));
  });

  it.each([
    ['azure', { apiVersion: '2024-10-21' }],
    ['openai-compatible', {}],
    ['vllm', {}],
  ])('%s %j: has no Responses API, and does not reason unless the caller sets an effort', (protocol, settings) => {
    const unasked = sent(protocol, 'always', { tools }, settings);
    expect(unasked.path).toContain('/chat/completions');
    expect(unasked.body.reasoning_effort).toBe('none');
    expect(sent(protocol, 'always', { tools, reasoning_effort: 'low' }, settings).body.reasoning_effort).toBe('low');
    expect(sent(protocol, null, { tools }, settings).body).not.toHaveProperty('reasoning_effort');
  });
});

describe('an image in a tool result', () => {
  const seen: ChatCompletionRequest['messages'] = [
    { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }] },
    {
      role: 'tool',
      tool_call_id: 'c1',
      content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
    },
  ];

  it.each(['openai', 'azure'])('%s: uses the Responses API', (protocol) => {
    const { path, body } = sent(protocol, null, { messages: seen });
    expect(path).toMatch(/\/responses$/);
    const output = [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }];
    expect(body.input).toMatchObject([{}, { type: 'function_call_output', call_id: 'c1', output }]);
  });

  it('is refused with the name of its field if there is no such API', () => {
    const asked = () => sent('azure', null, { messages: seen }, { apiVersion: '2024-10-21' });
    expect(asked).toThrow(
      expect.objectContaining({ body: expect.objectContaining({ param: 'messages[1].content[0]' }) }),
    );
  });
});
