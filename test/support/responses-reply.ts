import { expect } from '@jest/globals';
import { responsesFormat } from '../../src/apis/responses/responses.format.js';
import type { Reply } from '../../src/completions/formats/call-format.js';
import type { ChatCompletionChunk, CompletionUsage } from '../../src/upstreams/contract/chat.types.js';
import { eventsIn, ResponsesFollower } from './responses-events.js';

export const DETAILED_USAGE: CompletionUsage = {
  prompt_tokens: 11,
  completion_tokens: 3,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 1 },
};

/** The reply to a request with these fields, as the call `chatcmpl-ab` of the second 1,700,000,000. */
export function replyTo(fields: object = {}): Reply {
  const { request, reply } = responsesFormat.read({ model: 'm', input: 'Hi', ...fields }, { headers: {}, path: '/' });
  return reply({ id: 'chatcmpl-ab', startedAt: new Date(1_700_000_000_900), request, estimatedInputTokens: 1 });
}

/** The events of a stream, which keep the format's rules. */
export function streamed(chunks: readonly ChatCompletionChunk[], fields: object = {}): ResponsesFollower {
  const reply = replyTo({ ...fields, stream: true });
  const stream = new ResponsesFollower(eventsIn(chunks.map((chunk) => reply.next(chunk)).join('') + reply.end()));
  expect(stream.faults).toEqual([]);
  return stream;
}
