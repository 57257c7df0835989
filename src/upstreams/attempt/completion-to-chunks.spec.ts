import { describe, expect, it } from '@jest/globals';
import { schemaFaults } from '../../../test/support/openai-schema.js';
import { brokenPromises, toldInCompletion, toldInStream } from '../../../test/support/told-answer.js';
import type { ChatChoice, ChatCompletion } from '../contract/chat.types.js';
import { completionToChunks } from './completion-to-chunks.js';

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

function completion(...choices: Partial<ChatChoice>[]): ChatCompletion {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: choices.map((choice, index) => ({
      index,
      message: { role: 'assistant', content: `text ${index}`, refusal: null },
      finish_reason: 'stop',
      logprobs: null,
      ...choice,
    })),
    usage,
  };
}

const call = (name: string) => ({ id: `call_${name}`, type: 'function' as const, function: { name, arguments: '{}' } });

describe('a whole completion as a stream', () => {
  it.each([
    ['text', completion({})],
    ['two choices', completion({}, { finish_reason: 'length' })],
    ['a refusal', completion({ message: { role: 'assistant', content: null, refusal: 'No.' } })],
    ['reasoning', completion({ message: { role: 'assistant', content: 'a', refusal: null, reasoning_content: 'b' } })],
    [
      'parallel tool calls',
      completion({
        message: { role: 'assistant', content: null, refusal: null, tool_calls: [call('f'), call('g')] },
        finish_reason: 'tool_calls',
      }),
    ],
  ])('tells %s as the completion does, in valid chunks', (_what, whole) => {
    const chunks = completionToChunks(whole);
    expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    expect(brokenPromises(chunks, whole)).toEqual([]);
    expect(toldInStream(chunks)).toEqual(toldInCompletion(whole));
  });

  it('has the usage last, with no choice', () => {
    expect(completionToChunks(completion({})).at(-1)).toMatchObject({ choices: [], usage });
  });

  it('has no usage chunk where there is none', () => {
    const { usage: _, ...rest } = completion({});
    expect(completionToChunks(rest).some((chunk) => 'usage' in chunk)).toBe(false);
  });
});
