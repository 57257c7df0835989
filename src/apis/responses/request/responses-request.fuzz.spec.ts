import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyJson, MARK, spoiled } from '../../../../test/support/arbitrary-request.js';
import { GatewayError } from '../../../common/gateway.error.js';
import { toChatRequest } from '../../../completions/formats/chat-completion-request.js';
import { responsesFormat } from '../responses.format.js';
import { RESPONSES_FIELDS } from './responses-request.js';

const at = { headers: {}, path: '/v1/responses' };
const word = fc.string({ maxLength: 8 }).map((text) => `${MARK}${text}`);
const id = fc.stringMatching(/^[a-z]{1,8}$/);
const one = (...values: unknown[]) => fc.constantFrom(...values);
/** With unknown fields. */
const object = (fields: Record<string, fc.Arbitrary<unknown>>, needed = Object.keys(fields)) =>
  fc
    .tuple(fc.record(fields, { requiredKeys: needed }), fc.dictionary(word, anyJson, { maxKeys: 1 }))
    .map(([known, unknown]) => ({ ...unknown, ...known }));

const text = object({ type: one('input_text'), text: word });
const part = fc.oneof(
  text,
  object({ type: one('input_image'), image_url: one('https://a.b/c', 'data:image/png;base64,AAAA') }),
  object({ type: one('input_file'), file_data: one('AAAA'), filename: word }),
);
const message = object({ type: one('output_text'), text: word, annotations: fc.constant([]) });
const content = (item: fc.Arbitrary<unknown>) => fc.oneof(word, fc.array(item, { minLength: 1, maxLength: 3 }));
const called = { call_id: id, name: word.map((name) => `f${name}`), namespace: fc.option(word) };
const item = fc.oneof(
  object({ role: one('user'), content: content(part) }),
  object({ type: one('message'), role: one('system', 'developer'), content: content(text) }),
  object({ role: one('assistant'), content: content(message) }),
  object({ type: one('function_call'), arguments: word, ...called }),
  object({ type: one('custom_tool_call'), input: word, ...called }),
  object({ type: one('function_call_output', 'custom_tool_call_output'), call_id: id, output: content(part) }),
  object({
    type: one('reasoning'),
    summary: fc.array(object({ type: one('summary_text'), text: word })),
    encrypted_content: one('gw1_e30', 'gw1_!', null, 'gAAA'),
  }),
  object({ type: one('web_search_call', 'mcp_call', 'computer_call', 'compaction') }),
);
const own = fc.oneof(
  object({ type: one('function'), name: id, parameters: one(null, { type: 'object' }), strict: one(null, true) }),
  object({ type: one('custom'), name: word.map((name) => `c${name}`) }),
);
const tool = fc.oneof(
  own,
  object({ type: one('namespace'), name: word.map((name) => `n${name}`), tools: fc.array(own) }),
  object({ type: one('web_search', 'code_interpreter', 'unheard_of') }),
);
const request = object(
  {
    model: id,
    input: fc.oneof(word, fc.array(item, { minLength: 1, maxLength: 8 })),
    instructions: fc.option(word),
    stream: fc.boolean(),
    tools: fc.array(tool, { maxLength: 5 }),
    tool_choice: one('auto', 'none', 'required', null),
    text: object({ verbosity: one('low', null), format: one(null, { type: 'text' }, { type: 'json_object' }) }),
    reasoning: object({ effort: one('low', null), summary: one('auto', null) }),
    max_output_tokens: fc.integer({ min: 1 }),
    client_metadata: anyJson,
  },
  ['model', 'input'],
);

describe('any request body', () => {
  it('any request body that is valid is accepted and unchanged, and has a valid inner form unless only native targets serve it', () => {
    fc.assert(
      fc.property(request, (body) => {
        const before = structuredClone(body);
        const { request: chat, native } = responsesFormat.read(body, at);
        expect(body).toEqual(before);
        for (const path of native?.untranslated ?? []) expect(path).toMatch(/^[\x21-\x7e]{1,120}$/);
        const names = (chat.tools ?? []).map((tool) => tool.type === 'function' && tool.function.name);
        expect(new Set(names).size).toBe(names.length);
        if (!native?.untranslatable && names.length <= 128)
          expect(() => toChatRequest(structuredClone(chat))).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });

  it('is accepted, or refused with a complete 400 that does not quote it', () => {
    const knownFields = fc.dictionary(fc.constantFrom(...RESPONSES_FIELDS.keys()), anyJson);
    const body = fc.oneof(anyJson, knownFields, spoiled(request));
    fc.assert(fc.property(body, isAnsweredWell), { numRuns: 3000 });
  });
});

function isAnsweredWell(body: unknown): void {
  try {
    responsesFormat.read(body, at);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(error.status).toBe(400);
    expect(Object.keys(error.body).sort()).toEqual(['code', 'message', 'param', 'type']);
    expect(error.body.param ?? 'model').toMatch(/^[a-z_]+(\[\d+\]|\.[a-z_]+)*$/);
    expect(JSON.stringify(error.body)).not.toContain(MARK);
  }
}
