import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endsInText } from '../../../../test/support/conversations.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatMessage, ContentPart } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import type { Conversation } from './messages.js';
import { toRequestBody } from './request.js';

const words = fc.oneof(fc.constantFrom('', 'Hi', '{"a":1}', '{"a'), fc.string({ maxLength: 12 }));
const textPart = words.map((text) => ({ type: 'text' as const, text }));
const media = fc.constantFrom<ContentPart>(
  { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
  { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
  { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } },
);
const texts = fc.oneof(words, fc.array(textPart, { minLength: 1, maxLength: 3 }));

const instruction = fc.record({ role: fc.constantFrom('system' as const, 'developer' as const), content: texts });
const question = fc.record({
  role: fc.constant('user' as const),
  content: fc.oneof(words, fc.array(fc.oneof(textPart, media), { minLength: 1, maxLength: 3 })),
});
const answer = fc.record({ role: fc.constant('assistant' as const), content: texts });

/** An answer with up to three calls, signed or not, and their results in any order. */
const toolRound = fc
  .record({
    content: fc.option(words),
    ids: fc.uniqueArray(fc.oneof(fc.constantFrom('call_0', 'call_1', 'call_2'), fc.string({ maxLength: 8 })), {
      minLength: 1,
      maxLength: 3,
    }),
    input: fc.oneof(fc.json(), fc.constantFrom('', '{}', '{"a":1}', '{"a')),
    signature: fc.option(fc.base64String({ minLength: 4 }), { nil: undefined }),
    result: texts,
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ content, ids, input, signature, result, order }): ChatMessage[] => [
    {
      role: 'assistant',
      content,
      tool_calls: ids.map((id) => ({
        id,
        type: 'function',
        function: { name: `look_up_${id.length}`, arguments: input },
        ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
      })),
    },
    ...ids
      .map((id) => ({ id, rank: order.next().value as number }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ id }): ChatMessage => ({ role: 'tool', tool_call_id: id, content: result })),
  ]);

const conversation = fc
  .array(fc.oneof(instruction, question, answer, toolRound), { minLength: 1, maxLength: 8 })
  .map((steps): ChatMessage[] => steps.flat());
const settings = fc.constantFrom<Record<string, string>>({}, { project: 'p', location: 'l' });

it('any valid conversation becomes a valid request', () => {
  fc.assert(
    fc.property(conversation, settings, (messages, given) => {
      const request: ChatCompletionRequest = { model: 'm', messages };
      expect(schemaFaults('request', request)).toEqual([]);
      const before = JSON.stringify(request);
      const call = { ...providerCall(request), upstreamModel: 'gemini-3.1-pro-preview', settings: given };
      const body = toRequestBody(call);
      expect(JSON.stringify(request)).toBe(before);
      expect(grammarFaults(body as unknown as Conversation, endsInText(messages))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

/** Violations of the API's rules. */
function grammarFaults({ contents, systemInstruction }: Conversation, prefilled: boolean): string[] {
  const faults: string[] = [];
  if (contents[0]?.role !== 'user') faults.push('the user is not first');
  if (contents.at(-1)?.role !== (prefilled ? 'model' : 'user')) faults.push('the wrong one is last');
  if (systemInstruction && systemInstruction.parts.length === 0) faults.push('an empty instruction');
  contents.forEach(({ role, parts }, index) => {
    const before = contents[index - 1];
    if (parts.length === 0) faults.push(`turn ${index} is empty`);
    if (role === before?.role) faults.push(`turn ${index} has the role of the one before`);
    const calls = (before?.parts ?? []).flatMap(({ functionCall }) => (isObject(functionCall) ? [functionCall] : []));
    const results = parts.flatMap((part) => (isObject(part.functionResponse) ? [part.functionResponse] : []));
    if (String(calls.map(nameAndId)) !== String(results.map(nameAndId)))
      faults.push(`turn ${index} answers other calls`);
    if (parts.slice(0, results.length).some((part) => !part.functionResponse)) {
      faults.push(`turn ${index} has results behind other parts`);
    }
    if (results.some(({ response }) => !isObject(response))) faults.push(`turn ${index}: a result is no object`);
    const called = parts.filter(({ functionCall }) => functionCall);
    if (called.length > 0 && !called[0]?.thoughtSignature) faults.push(`turn ${index} lacks a signature`);
    if (called.some(({ functionCall }) => !isObject((functionCall as JsonObject).args))) faults.push('args: no object');
  });
  const all = [...contents.flatMap(({ parts }) => parts), ...(systemInstruction?.parts ?? [])];
  if (all.some((part) => part.text === '' || Object.keys(part).length === 0)) faults.push('an empty part');
  return faults;
}

function nameAndId({ name, id }: JsonObject): string {
  return `${name} ${id}`;
}
