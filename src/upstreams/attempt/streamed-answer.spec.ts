import { describe, expect, it } from '@jest/globals';
import { answerOfCompletion, answerOfStream, brokenPromises } from '../../../test/support/client-answer.js';
import { schemaFaults } from '../../../test/support/openai-schema.js';
import type { ChatChoice, ChatCompletion } from '../contract/chat.types.js';
import { completionToChunks } from './streamed-answer.js';

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
  ])('has valid chunks for %s', (_what, whole) => {
    const chunks = completionToChunks(whole);
    expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    expect(brokenPromises(chunks, whole)).toEqual([]);
    expect(answerOfStream(chunks)).toEqual(answerOfCompletion(whole));
  });

  it('ends with usage, without choices', () => {
    expect(completionToChunks(completion({})).at(-1)).toMatchObject({ choices: [], usage });
  });

  it('has no usage chunk if there is no usage', () => {
    const { usage: _, ...rest } = completion({});
    expect(completionToChunks(rest).some((chunk) => 'usage' in chunk)).toBe(false);
  });
});
