import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endsInText } from '../../../../test/support/conversations.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatMessage, ContentPart } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { Turn } from '../shared/turns.js';
import { toRequestBody } from './request.js';

const words = fc.oneof(fc.constantFrom('', ' ', '\n', 'Hi'), fc.string({ maxLength: 12 }));
const textPart = words.map((text) => ({ type: 'text' as const, text }));
const image = fc.constant<ContentPart>({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } });
const content = fc.oneof(words, fc.array(textPart, { minLength: 1, maxLength: 3 }));

const instruction = fc.record({ role: fc.constantFrom('system' as const, 'developer' as const), content });
const question = fc.record({
  role: fc.constant('user' as const),
  content: fc.oneof(words, fc.array(fc.oneof(textPart, image), { minLength: 1, maxLength: 3 })),
});
const answer = fc.record({ role: fc.constant('assistant' as const), content });

/** An answer with up to three calls, and their results in any order. */
const toolRound = fc
  .record({
    content: fc.option(words),
    ids: fc.uniqueArray(fc.oneof(fc.constantFrom('call_0', 'call_1'), fc.string({ maxLength: 8 })), {
      minLength: 1,
      maxLength: 3,
    }),
    input: fc.oneof(fc.json(), fc.constantFrom('', '{}', '{"a":1}', '{"a')),
    result: content,
    reversed: fc.boolean(),
  })
  .map(({ content, ids, input, result, reversed }): ChatMessage[] => [
    {
      role: 'assistant',
      content,
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look_up', arguments: input } })),
    },
    ...(reversed ? ids.toReversed() : ids).map(
      (id): ChatMessage => ({ role: 'tool', tool_call_id: id, content: result }),
    ),
  ]);

const conversation = fc
  .array(fc.oneof(instruction, question, answer, toolRound), { minLength: 1, maxLength: 8 })
  .map((steps): ChatMessage[] => steps.flat());

it('any valid conversation becomes a valid request', () => {
  fc.assert(
    fc.property(conversation, fc.constantFrom('claude-opus-5', 'claude-haiku-4-5'), (messages, upstreamModel) => {
      const request: ChatCompletionRequest = { model: 'm', messages, reasoning_effort: 'low' };
      expect(schemaFaults('request', request)).toEqual([]);
      const before = JSON.stringify(request);
      const refused = upstreamModel === 'claude-opus-5' && endsInText(messages);
      const translated = () => toRequestBody({ ...providerCall(request), upstreamModel });
      if (refused) expect(translated).toThrow(expect.objectContaining({ status: 400 }));
      else expect(grammarFaults(translated(), endsInText(messages))).toEqual([]);
      expect(JSON.stringify(request)).toBe(before);
    }),
    { numRuns: 500 },
  );
});

/** Violations of the API's rules. */
function grammarFaults(body: JsonObject, prefilled: boolean): string[] {
  const faults: string[] = [];
  const turns = body.messages as Turn<JsonObject>[];
  const system = (body.system ?? []) as JsonObject[];
  if (turns[0]?.role !== 'user') faults.push('the user is not first');
  if (turns.at(-1)?.role !== (prefilled ? 'assistant' : 'user')) faults.push('the wrong one is last');
  if (prefilled && /\s$/.test(String(turns.at(-1)?.content.at(-1)?.text))) faults.push('white space is last');
  if ('system' in body && system.length === 0) faults.push('empty system');
  const seen = new Set<unknown>();
  turns.forEach(({ role, content }, index) => {
    if (content.length === 0) faults.push(`turn ${index} is empty`);
    if (role === turns[index - 1]?.role) faults.push(`turn ${index} has the role of the one before`);
    const called = (turns[index - 1]?.content ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const answered = content.filter(({ type }) => type === 'tool_result').map((result) => result.tool_use_id);
    if ([...called].sort().join() !== [...answered].sort().join())
      faults.push(`turn ${index} does not answer its calls`);
    const afterText = content.slice(answered.length);
    if (afterText.some(({ type }) => type === 'tool_result')) faults.push(`turn ${index} has results behind others`);
    for (const { type, id, input } of content) {
      if (type !== 'tool_use') continue;
      if (seen.has(id) || !/^[a-zA-Z0-9_-]+$/.test(String(id))) faults.push(`turn ${index} has a bad id`);
      if (typeof input !== 'object' || input === null || Array.isArray(input)) faults.push(`turn ${index}: bad input`);
      seen.add(id);
    }
  });
  const nested = turns.flatMap(({ content }) =>
    content.flatMap((block) => [block, ...((block.content ?? []) as JsonObject[])]),
  );
  for (const { type, text } of [...system, ...nested]) {
    if (type === 'text' && String(text).trim() === '') faults.push('text without content');
  }
  if (seen.size > 0 && !Array.isArray(body.tools)) faults.push('calls without tools');
  return faults;
}
