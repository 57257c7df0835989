import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chunk, completion, usageChunk } from '../../../../test/support/chat-chunks.js';
import { messageOfEvents } from '../../../../test/support/messages-events.js';
import type {
  ChatDelta,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
} from '../../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import { decodeReasoning } from '../../shared/carried-reasoning.js';
import { ArgumentsText } from '../../shared/tool-arguments.js';
import type { ShownThinking } from '../translation/chat-request.js';
import { MessagesReply } from './messages.reply.js';

const CALL = {
  id: 'chatcmpl-1',
  startedAt: new Date(0),
  request: { model: 'm', messages: [] },
  estimatedInputTokens: 7,
};
const USAGE: CompletionUsage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

const replyOf = (thinking: ShownThinking) => new MessagesReply(CALL, { thinking, names: new Map() });

/** The SSE text of a stream that ends with this finish. */
function streamed(deltas: readonly ChatDelta[], finish: FinishReason, thinking: ShownThinking): string {
  const reply = replyOf(thinking);
  const chunks = [...deltas.map((delta) => chunk(delta)), chunk({}, finish), usageChunk(USAGE)];
  return chunks.map((one) => reply.next(one)).join('') + reply.end();
}

function whole(message: Partial<ChatResponseMessage>, finish: FinishReason, thinking: ShownThinking) {
  return JSON.parse(replyOf(thinking).whole(completion(message, finish, USAGE)));
}

const call = (id: string, text: string, index: number) => ({
  index,
  id,
  type: 'function' as const,
  function: { name: 'look', arguments: text },
});

type Step =
  | { readonly text: string }
  | { readonly thought: string }
  | { readonly call: number; readonly text: string; readonly signature: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ text: fc.string() }),
  fc.record({ thought: fc.string() }),
  fc.record({
    call: fc.nat(3),
    text: fc.constantFrom('', '{"a":', '1}', '{}', '[', '"b"', ' '),
    signature: fc.constantFrom('', 's1'),
  }),
);

/**
 * Deltas as the contract of adapters allows them: calls are counted from 0, only their first delta names them, and only
 * white space follows complete arguments.
 */
function toDeltas(steps: readonly Step[]): ChatDelta[] {
  const begun: number[] = [];
  const texts: string[] = [];
  const deltas = steps.flatMap((one): ChatDelta[] => {
    if ('text' in one && !('call' in one)) return [{ content: one.text }];
    if ('thought' in one) return [{ reasoning_content: one.thought }];
    const known = begun.indexOf(one.call);
    const index = known < 0 ? begun.push(one.call) - 1 : known;
    const before = texts[index] ?? '';
    if (isWhole(before) && one.text.trim() !== '') return [];
    texts[index] = before + one.text;
    if (known >= 0) return [{ tool_calls: [{ index, function: { arguments: one.text } }] }];
    const signed = one.signature === '' ? {} : { extra_content: { google: { thought_signature: one.signature } } };
    return [{ tool_calls: [{ ...call(`call_${index}`, one.text, index), ...signed }] }];
  });
  return [{ role: 'assistant', content: '' }, ...deltas];
}

/** The message that these deltas add up to. */
function messageOf(deltas: readonly ChatDelta[]): Partial<ChatResponseMessage> {
  const calls: (ReturnType<typeof call> & JsonObject)[] = [];
  for (const { tool_calls: [delta] = [] } of deltas) {
    if (!delta) continue;
    const known = calls[delta.index];
    if (known) known.function.arguments += delta.function?.arguments ?? '';
    else calls.push(structuredClone(delta) as (typeof calls)[number]);
  }
  return {
    content: deltas.map(({ content }) => content ?? '').join(''),
    reasoning_content: deltas.map((delta) => delta.reasoning_content ?? '').join(''),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** The content of an answer, independent of the order of its texts and calls. */
function contentOf({ content, ...rest }: { content: readonly JsonObject[] } & JsonObject) {
  const joined = (type: string) => content.flatMap((block) => (block.type === type ? [block[type]] : [])).join('');
  const calls = content.flatMap(({ type, signature: _, ...block }, index) => {
    if (type !== 'tool_use') return [];
    return [{ ...block, carried: decodeReasoning(content[index - 1]?.signature).call }];
  });
  return { ...rest, text: joined('text'), thinking: joined('thinking'), calls };
}

describe('an answer in the Messages format', () => {
  it('has valid events that add up to the JSON answer, for any order of chunks', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.constantFrom<ShownThinking>('shown', 'signature only', 'hidden'),
        fc.constantFrom<FinishReason>('stop', 'length', 'content_filter'),
        (steps, thinking, finish) => {
          const deltas = toDeltas(steps);
          const message = messageOfEvents(streamed(deltas, finish, thinking));
          expect(contentOf(message)).toEqual(contentOf(whole(messageOf(deltas), finish, thinking)));
          for (const block of message.content) expect(block.signature).not.toBe('');
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function isWhole(text: string): boolean {
  const received = new ArgumentsText();
  received.add(text);
  return received.isWhole;
}
