import { describe, expect, it } from '@jest/globals';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { toCompletion } from './completion.js';

function completion(content: unknown[], rest: Record<string, unknown> = {}, request = {}) {
  const body = { output: { message: { role: 'assistant', content } }, stopReason: 'end_turn', ...rest };
  return toCompletion(body, providerCall(request));
}

const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'look', input: {} } });

describe('a Converse answer', () => {
  it('has signed reasoning in the tool call that follows it', () => {
    const thoughts = [
      { reasoningContent: { reasoningText: { text: 'A cat?', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'aGlk' } },
    ];
    const made = completion([...thoughts, use('a'), use('b')], { stopReason: 'tool_use' });
    expect(schemaFaults('completion', made)).toEqual([]);
    const thinking_blocks = [
      { type: 'thinking', thinking: 'A cat?', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'aGlk' },
    ];
    const called = { type: 'function', function: { name: 'look', arguments: '{}' } };
    expect(made.choices[0]?.message).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      reasoning_content: 'A cat?',
      tool_calls: [
        { id: 'a', ...called, extra_content: { anthropic: { thinking_blocks } } },
        { id: 'b', ...called },
      ],
    });
  });

  it('has as many tool calls as the caller allows: the first, or none', () => {
    const made = completion([use('a'), use('b')], { stopReason: 'tool_use' }, { parallel_tool_calls: false });
    expect(made.choices[0]?.message.tool_calls).toHaveLength(1);
    const none = completion([{ text: 'Hi' }, use('a')], { stopReason: 'tool_use' }, { tool_choice: 'none' });
    expect(none.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Hi' } });
    expect(none.choices[0]?.message.tool_calls).toBeUndefined();
  });

  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['unheard_of', 'stop'],
    ['toString', 'stop'],
    [undefined, 'stop'],
  ])('that stopped for %s finishes with %s', (stopReason, finish) => {
    expect(completion([{ text: 'Hi' }], { stopReason }).choices[0]?.finish_reason).toBe(finish);
  });

  it('with tool calls finishes with tool_calls for any stop reason', () => {
    expect(completion([use('a')]).choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('cites each web page', () => {
    const citations = [{ location: { web: { url: 'https://example.com' } } }];
    const made = completion([{ text: 'So: ' }, { citationsContent: { content: [{ text: 'rain' }], citations } }]);
    const url_citation = { start_index: 4, end_index: 8, url: 'https://example.com', title: 'https://example.com' };
    expect(made.choices[0]?.message).toMatchObject({
      content: 'So: rain',
      annotations: [{ type: 'url_citation', url_citation }],
    });
    expect(schemaFaults('completion', made)).toEqual([]);
  });

  it('counts cache reads and writes once, with either name', () => {
    const counts = { inputTokens: 3, outputTokens: 121, totalTokens: 2072 };
    const read = { cacheReadInputTokens: 1712, cacheReadInputTokenCount: 1712 };
    const written = { cacheWriteInputTokens: 236, cacheWriteInputTokenCount: 236 };
    expect(completion([], { usage: { ...counts, ...read, ...written } }).usage).toEqual({
      prompt_tokens: 1951,
      completion_tokens: 121,
      total_tokens: 2072,
      prompt_tokens_details: { cached_tokens: 1712, cache_write_tokens: 236 },
    });
    expect(completion([], { usage: { ...counts, cacheReadInputTokenCount: 5 } }).usage).toMatchObject({
      prompt_tokens: 8,
      prompt_tokens_details: { cached_tokens: 5 },
    });
    expect(completion([], { usage: {} }).usage).toBeUndefined();
  });

  it.each([[null], ['<html>'], [{}], [{ output: {} }], [{ output: { message: {} } }]])('is invalid: %j', (body) => {
    expect(() => toCompletion(body, providerCall())).toThrow(UpstreamError);
  });
});

it('of the answer tool has its input as content', () => {
  const response_format = { type: 'json_schema', json_schema: { name: 'A', schema: { type: 'object' } } } as const;
  const call = { ...providerCall({ response_format }), upstreamModel: 'amazon.nova-lite-v1:0' };
  const answer = { toolUse: { toolUseId: 'a', name: 'json_answer', input: { a: [1] } } };
  const body = (...content: unknown[]) => ({ output: { message: { content } }, stopReason: 'tool_use' });
  const [choice] = toCompletion(body({ text: 'Here:' }, answer, answer), call).choices;
  expect(choice).toMatchObject({ message: { content: '{"a":[1]}' }, finish_reason: 'stop' });
  expect(choice?.message).not.toHaveProperty('tool_calls');
  expect(toCompletion(body({ text: 'No.' }), call).choices[0]?.message.content).toBe('No.');
});
