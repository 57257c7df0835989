import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatMessage } from '../../contract/chat.types.js';
import { anthropicAdapter } from '../anthropic/anthropic.adapter.js';
import { bedrockAdapter } from '../bedrock/bedrock.adapter.js';

const question: ChatMessage = { role: 'user', content: 'Three colours as JSON' };
const prefilled: ChatMessage = { role: 'assistant', content: '{"colours": [ \n' };

describe.each([
  ['anthropic', anthropicAdapter, '', { type: 'text' }],
  ['bedrock', bedrockAdapter, 'us.anthropic.', {}],
])('a prefilled answer, at %s', (_name, adapter, prefix, block) => {
  const bodyOf = (model: string, request: Partial<ChatCompletionRequest> = {}) =>
    adapter.toRequest({
      ...providerCall({ messages: [question, prefilled], ...request }),
      upstreamModel: `${prefix}${model}`,
    }).body;
  const refusal = { status: 400, body: expect.objectContaining({ code: 'unsupported_value', param: 'messages[1]' }) };

  it('ends the conversation, without trailing white space', () => {
    for (const model of ['claude-haiku-4-5-20251001-v1:0', 'claude-3-5-sonnet-20240620-v1:0']) {
      expect(bodyOf(model).messages).toEqual([
        { role: 'user', content: [{ ...block, text: 'Three colours as JSON' }] },
        { role: 'assistant', content: [{ ...block, text: '{"colours": [' }] },
      ]);
    }
  });

  it('is refused if the model does not support it, or with a JSON schema', () => {
    for (const model of ['claude-opus-4-6', 'claude-sonnet-4-6', 'claude-opus-5']) {
      expect(() => bodyOf(model)).toThrow(expect.objectContaining(refusal));
    }
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const format = { type: 'json_schema' as const, json_schema: { name: 's', schema } };
    expect(() => bodyOf('claude-haiku-4-5', { response_format: format })).toThrow(expect.objectContaining(refusal));
  });

  it('disables thinking, which the API refuses for prefilled answers', () => {
    const asked = bodyOf('claude-haiku-4-5', { reasoning_effort: 'high', max_tokens: 30_000 });
    expect(JSON.stringify(asked)).not.toContain('thinking');
  });

  it.each<[string, ChatMessage[]]>([
    ['an empty answer', [question, { role: 'assistant', content: ' ' }]],
    ['a system message after the answer', [question, prefilled, { role: 'system', content: 'Be brief.' }]],
    ['tool calls', [question, { role: 'assistant', content: 'x', tool_calls: [call()] }]],
  ])('does not exist if the conversation ends with %s: the user is last', (_what, messages) => {
    const { messages: turns } = bodyOf('claude-opus-5', { messages });
    expect(turns).toEqual(expect.arrayContaining([expect.objectContaining({ role: 'user' })]));
    expect((turns as { role: string }[]).at(-1)?.role).toBe('user');
  });
});

function call() {
  return { id: 'c', type: 'function' as const, function: { name: 'look', arguments: '{}' } };
}
