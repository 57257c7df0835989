import fc from 'fast-check';
import type { ChatMessage, ContentPart } from '../../src/upstreams/contract/chat.types.js';

const words = fc.oneof(fc.constantFrom('', ' ', '\n', 'Hi', '{"a":1}'), fc.string({ maxLength: 12 }));
const textPart = fc.record({ type: fc.constant('text' as const), text: words });
const texts = fc.oneof(words, fc.array(textPart, { minLength: 1, maxLength: 3 }));
const media = fc.oneof(
  fc.constant<ContentPart>({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }),
  fc
    .string({ maxLength: 20 })
    .map(
      (filename): ContentPart => ({ type: 'file', file: { filename, file_data: 'data:application/pdf;base64,AAAA' } }),
    ),
);

const instruction = fc.record({ role: fc.constantFrom('system' as const, 'developer' as const), content: texts });
const question = fc.record({
  role: fc.constant('user' as const),
  content: fc.oneof(words, fc.array(fc.oneof(textPart, media), { minLength: 1, maxLength: 4 })),
});
const statement = fc.record({ role: fc.constant('assistant' as const), content: texts });

const calledFunction = fc.record({
  name: fc.oneof(fc.constantFrom('look', 'functions.look', ''), fc.string({ maxLength: 80 })),
  arguments: fc.oneof(fc.json(), fc.constantFrom('', '{}', '{"a":1}', '{"a', '[]', 'null')),
});

/** Tool calls, followed by their results in any order. */
const toolRound = fc
  .record({
    content: fc.option(words),
    calls: fc.uniqueArray(
      fc.record({
        id: fc.oneof(fc.constantFrom('call_0', 'call_1'), fc.string({ maxLength: 80 })),
        called: calledFunction,
        result: texts,
      }),
      { minLength: 1, maxLength: 4, selector: ({ id }) => id },
    ),
    reversed: fc.boolean(),
  })
  .map(({ content, calls, reversed }): ChatMessage[] => {
    const results = calls.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result }));
    return [
      {
        role: 'assistant',
        content,
        tool_calls: calls.map(({ id, called }) => ({ id, type: 'function', function: called })),
      },
      ...(reversed ? results.reverse() : results),
    ];
  });

const functionRound = fc.tuple(calledFunction, words).map(([called, result]): ChatMessage[] => [
  { role: 'assistant', content: null, function_call: called },
  { role: 'function', name: called.name, content: result },
]);

/** Any valid conversation: the results of tool calls follow directly. */
export function validConversation(): fc.Arbitrary<ChatMessage[]> {
  return fc
    .array(fc.oneof(instruction, question, statement, toolRound, functionRound), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.flat());
}

/** Whether the model must continue its own text. */
export function endsInText(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.tool_calls) return false;
  const parts = typeof last.content === 'string' ? [{ text: last.content }] : (last.content ?? []);
  return parts.some((part) => 'text' in part && part.text.trim() !== '');
}
