import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../test/support/provider-call.js';
import type { ChatCompletionRequest, ChatTool } from '../contract/chat.types.js';
import type { JsonObject } from '../contract/json.js';
import { AnthropicAdapter } from './anthropic/anthropic.adapter.js';

const adapter = new AnthropicAdapter();
const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'Hi' }];
const tool: ChatTool = { type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } };

function bodyFor(upstreamModel: string, request: Partial<ChatCompletionRequest>) {
  return adapter.toRequest({ ...providerCall({ messages, ...request }), upstreamModel }).body;
}

const haiku = (request: Partial<ChatCompletionRequest>) => bodyFor('claude-haiku-4-5', request);
const opus = (request: Partial<ChatCompletionRequest>) => bodyFor('claude-opus-5', request);

describe('a tool', () => {
  const open = { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'integer' } } } };
  const strictTool = (parameters: JsonObject) => ({
    tools: [tool, { type: 'function' as const, function: { name: 'put', parameters, strict: true } }],
  });

  it('that is strict is refused where the API could not keep its schema as it stands', () => {
    const refusal = { status: 400, body: expect.objectContaining({ param: 'tools[1].function.parameters' }) };
    expect(() => haiku(strictTool(open))).toThrow(expect.objectContaining(refusal));
  });

  it('that is not strict, or at a model that knows no strict ones, has its schema as it came', () => {
    const loose = { tools: [{ type: 'function' as const, function: { name: 'put', parameters: open } }] };
    expect(haiku(loose).tools).toEqual([{ name: 'put', input_schema: open }]);
    const [, put] = bodyFor('claude-sonnet-4-0', strictTool(open)).tools as JsonObject[];
    expect(put).toEqual({ name: 'put', input_schema: open });
  });

  it('takes an object, which may not be null', () => {
    const [, put] = haiku(strictTool({ type: 'object', nullable: true })).tools as JsonObject[];
    expect(put?.input_schema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });
});

describe('a response format', () => {
  it.each([
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
    ['an object with further properties', { type: 'object', properties: {}, additionalProperties: true }],
    ['an object of any form', { type: 'object' }],
    [
      'an object of two parts',
      {
        allOf: [
          { type: 'object', properties: {} },
          { type: 'object', properties: {} },
        ],
      },
    ],
  ])('whose schema holds %s is told whole in words, since closed objects would say something else', (_name, part) => {
    const schema = { type: 'object', properties: { deep: { type: 'array', items: { anyOf: [part] } } } };
    const format = (strict: boolean) => ({ type: 'json_schema' as const, json_schema: { name: 's', schema, strict } });
    const body = opus({ response_format: format(false) });
    expect(body.output_config).toBeUndefined();
    expect(body.system).toEqual([{ type: 'text', text: expect.stringContaining(JSON.stringify(schema)) }]);
    const refusal = { status: 400, body: expect.objectContaining({ param: 'response_format.json_schema.schema' }) };
    expect(() => opus({ response_format: format(true) })).toThrow(expect.objectContaining(refusal));
  });

  it('keeps the nulls of a schema, in either spelling', () => {
    const nullable = { type: 'string', nullable: true };
    const properties = { a: nullable, b: { type: 'array', items: { ...nullable, nullable: false } } };
    const schema = { type: 'object', properties, additionalProperties: false };
    const { output_config: config } = opus({
      response_format: { type: 'json_schema', json_schema: { name: 's', schema, strict: true } },
    });
    expect(config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          ...schema,
          properties: {
            a: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            b: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    });
  });

  it('of a schema is told in words to a model without structured outputs', () => {
    const schema = { type: 'object', properties: {} };
    const format = { type: 'json_schema' as const, json_schema: { name: 's', schema } };
    const body = bodyFor('claude-sonnet-4-0', { response_format: format });
    expect(body.output_config).toBeUndefined();
    expect(body.system).toEqual([{ type: 'text', text: expect.stringContaining(JSON.stringify(schema)) }]);
  });
});
