import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { spoiled, validRequest } from '../../../test/support/arbitrary-request.js';
import { requestFields } from '../../../test/support/openai-schema.js';
import { GatewayError } from '../../common/gateway.error.js';
import { CHAT_REQUEST_FIELDS, CHAT_REQUEST_SCHEMA, toChatRequest } from './chat-completion-request.js';
import { foreignValueIn, numberBetween } from './checks.js';
import { objectSchema, optional, shape } from './structure.checks.js';

const minimal = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };
const isDocumented = new Ajv2020({ strict: false }).compile(CHAT_REQUEST_SCHEMA);

/** The result of the checks: the forwarded request, or null. */
function accepted(body: unknown): object | null {
  try {
    return toChatRequest(body);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

describe('the API’s documentation of a request', () => {
  it('describes every field that is checked', () => {
    const { properties = {} } = CHAT_REQUEST_SCHEMA;
    expect(Object.keys(properties)).toEqual([...CHAT_REQUEST_FIELDS.keys()]);
    const untold = Object.keys(properties).filter((name) => !properties[name]?.description);
    expect(untold).toEqual(['stream_options']);
  });

  it('has the fields of OpenAI’s own specification', () => {
    expect(Object.keys(CHAT_REQUEST_SCHEMA.properties ?? {}).sort()).toEqual([...new Set(requestFields())].sort());
  });

  it('includes the limits of additional rules', () => {
    const fields = { warmth: optional(numberBetween(0, 5), 'How kind the answer is.') };
    expect(objectSchema(fields)).toEqual({
      type: 'object',
      properties: { warmth: { type: 'number', minimum: 0, maximum: 5, description: 'How kind the answer is.' } },
    });
    expect(shape(fields).schema.properties).toEqual(objectSchema(fields).properties);
  });

  it('accepts every request that the checks accept', () => {
    const body = fc.oneof(validRequest, spoiled(validRequest));
    fc.assert(
      fc.property(body, (body) => {
        const request = accepted(body);
        if (request && !foreignValueIn(request))
          expect({ request, ok: isDocumented(request) }).toMatchObject({ ok: true });
      }),
      { numRuns: 1000 },
    );
  });

  // Not included, as only the checks and the descriptions have these rules: the required content of an assistant's
  // message, `logprobs` with `top_logprobs`, the content of media, and integers beyond 2^53.
  it.each([
    { temperature: 2.1 },
    { n: 0 },
    { n: 1.5 },
    { stop: ['a', 'b', 'c', 'd', 'e'] },
    { stop: 7 },
    { logit_bias: { 1: 101 } },
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, ''])) },
    { metadata: { ['k'.repeat(65)]: 'v' } },
    { metadata: { k: 'v'.repeat(513) } },
    { safety_identifier: 'x'.repeat(65) },
    { seed: 2 ** 64 },
    { model: '' },
    { messages: [] },
    { messages: [{ role: 'robot', content: 'x' }] },
    { messages: [{ role: 'user', content: [] }] },
    { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
    { messages: [{ role: 'tool', content: 'x' }] },
    { tools: [{ type: 'function', function: { name: 'two words' } }] },
    { tools: Array.from({ length: 129 }, () => ({ type: 'custom', custom: { name: 'c' } })) },
    { tool_choice: 'any' },
    { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'never', tools: [] } } },
    { function_call: {} },
    { response_format: { type: 'json_schema' } },
    { web_search_options: { search_context_size: 'huge' } },
    { moderation: { model: 'm', policy: { input: { mode: 'warn' } } } },
    { audio: { format: 'wav' } },
    { prompt_cache_options: { ttl: '1h' } },
  ])('does not allow a request that the checks refuse: %j', (fields) => {
    const body = { ...minimal, ...fields };
    expect([accepted(structuredClone(body)), isDocumented(body)]).toEqual([null, false]);
  });
});
