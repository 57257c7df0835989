import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { JsonObject } from '../../contract/json.js';
import { bedrockAdapter } from './bedrock.adapter.js';
import { modelFamily, novaSchema } from './schema.js';

const FIELD = 'tools[0].function.parameters';
const word = { type: 'string', description: 'One word' };

describe("a tool's input schema for Nova", () => {
  it('has only type, properties and required in its outermost object', () => {
    const properties = { a: { type: 'object', properties: { b: word }, additionalProperties: false, title: 'B' } };
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Input',
      description: 'What it takes',
      type: 'object',
      properties,
      required: ['a'],
      additionalProperties: false,
    };
    expect(novaSchema(schema, FIELD)).toEqual({ json: { type: 'object', properties, required: ['a'] } });
    expect(novaSchema({ type: 'object', required: [] }, FIELD)).toEqual({ json: { type: 'object', properties: {} } });
  });

  it('has its definitions inlined', () => {
    const $defs = { word, pair: { type: 'array', items: { $ref: '#/$defs/word' } } };
    const schema = { $ref: '#/definitions/input', $defs, definitions: { input: { type: 'object', properties: {} } } };
    const properties = { p: { $ref: '#/$defs/pair', description: 'Two' }, w: { anyOf: [{ $ref: '#/$defs/word' }] } };
    expect(novaSchema({ ...schema, properties }, FIELD).json).toEqual({
      type: 'object',
      properties: { p: { type: 'array', items: word, description: 'Two' }, w: { anyOf: [word] } },
    });
  });

  it('moves other keywords into a note for the model', () => {
    const schema = { type: 'object', properties: {}, minProperties: 1, additionalProperties: { type: 'string' } };
    expect(novaSchema(schema, FIELD).note).toBe('{minProperties: 1, additionalProperties: {"type":"string"}}');
  });

  it('is refused if it is recursive or grows without bound', () => {
    const refusal = { status: 400, body: expect.objectContaining({ param: FIELD }) };
    const tree = { type: 'object', properties: { next: { $ref: '#' } } };
    expect(() => novaSchema(tree, FIELD)).toThrow(expect.objectContaining(refusal));
    const $defs: JsonObject = { d0: word };
    for (let depth = 1; depth < 40; depth++) {
      const below = { $ref: `#/$defs/d${depth - 1}` };
      $defs[`d${depth}`] = { anyOf: [below, below] };
    }
    const bomb = { type: 'object', properties: { x: { $ref: '#/$defs/d39' } }, $defs };
    expect(() => novaSchema(bomb, FIELD)).toThrow(expect.objectContaining(refusal));
  });

  it('is refused if its definitions refer to each other in a chain that would exhaust the stack', () => {
    const chainOf = (length: number) => {
      const link = (at: number) => ({ type: 'object', properties: { a: { $ref: `#/$defs/d${at}` } } });
      const links = Array.from({ length }, (_, at) => [`d${at}`, at === length - 1 ? word : link(at + 1)]);
      return { ...link(0), $defs: Object.fromEntries(links) };
    };
    expect(JSON.stringify(novaSchema(chainOf(100), FIELD).json)).not.toContain('$ref');
    const refusal = { status: 400, body: expect.objectContaining({ param: FIELD }) };
    expect(() => novaSchema(chainOf(2000), FIELD)).toThrow(expect.objectContaining(refusal));
  });

  it('is refused if it is more than four times as large with its definitions inlined', () => {
    const long = { type: 'string', description: 'x'.repeat(10_000) };
    const schemaOf = (uses: number) => {
      const names = Array.from({ length: uses }, (_, index) => `p${index}`);
      const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/long' }]));
      return { type: 'object', properties, $defs: { long } };
    };
    expect(JSON.stringify(novaSchema(schemaOf(3), FIELD).json).length).toBeGreaterThan(30_000);
    const refusal = { status: 400, body: expect.objectContaining({ param: FIELD }) };
    expect(() => novaSchema(schemaOf(50), FIELD)).toThrow(expect.objectContaining(refusal));
  });

  it('counts bytes of text, so that no larger text replaces a smaller one', () => {
    const long = { type: 'string', description: '世'.repeat(1000) };
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/long' }]));
    const schema = { type: 'object', properties, $defs: { long, unused: { description: '\u0001'.repeat(3000) } } };
    const refusal = { status: 400, body: expect.objectContaining({ param: FIELD }) };
    expect(() => novaSchema(schema, FIELD)).toThrow(expect.objectContaining(refusal));
  });

  it('may have references and names that are not encoded as URIs are', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/%' }, b: { $ref: '#/$defs/%E0%A4%A' } },
      $defs: { '%': word },
    };
    expect(novaSchema(schema, FIELD).json).toEqual({
      type: 'object',
      properties: { a: word, b: { $ref: '#/$defs/%E0%A4%A' } },
    });
  });
});

describe('a strict request to Nova', () => {
  const adapter = bedrockAdapter;
  const schema = { type: 'object', properties: { a: word }, required: ['a'], additionalProperties: false };
  const json = { type: 'object', properties: { a: word }, required: ['a'] };
  const requestOf = (request: object) =>
    adapter.toRequest({
      ...providerCall({ messages: [{ role: 'user', content: 'Hi' }], ...request }),
      upstreamModel: 'us.amazon.nova-lite-v1:0',
    });

  it('has tools in its form, and reports that they are not strict', () => {
    const { body, ignored } = requestOf({
      tools: [{ type: 'function', function: { name: 'put', parameters: schema, strict: true } }],
    });
    expect(body.toolConfig).toEqual({ tools: [{ toolSpec: { name: 'put', inputSchema: { json } } }] });
    expect(ignored).toEqual(['tools.function.strict']);
  });

  it("has the answer's schema in its form", () => {
    const { body, ignored } = requestOf({
      response_format: { type: 'json_schema', json_schema: { name: 's', schema, strict: true } },
    });
    expect(body.toolConfig).toMatchObject({ tools: [{ toolSpec: { name: 'json_answer', inputSchema: { json } } }] });
    expect(ignored).toEqual(['response_format.json_schema.strict']);
  });
});

it.each([
  ['amazon.nova-2-lite-v1:0', 'amazon'],
  ['global.amazon.nova-2-lite-v1:0', 'amazon'],
  ['us.anthropic.claude-opus-5-5', 'anthropic'],
  ['eu.anthropic.claude-sonnet-5-5', 'anthropic'],
  ['us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic'],
  ['apac.amazon.nova-lite-v1:0', 'amazon'],
  ['minimax.minimax-m2.1', 'minimax'],
  ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-lite-v1:0', 'amazon'],
  ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6', ''],
])('the family of %s is %j, with any prefix of an inference profile', (model, family) => {
  expect(modelFamily(model)).toBe(family);
});
