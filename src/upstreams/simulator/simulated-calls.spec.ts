import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../contract/json.js';
import { instanceOf } from './simulated-calls.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const text = { type: 'string' };

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'fields of every type': closed({
    a: text,
    b: { type: 'number' },
    c: { type: 'integer' },
    d: { type: 'boolean' },
    e: { type: 'null' },
    f: { type: ['string', 'null'] },
    g: { type: 'array', items: text },
    h: { type: 'object' },
  }),
  'lists of objects': closed({ steps: { type: 'array', minItems: 2, items: closed({ why: text, what: text }) } }),
  'words to choose from': closed({ unit: { type: 'string', enum: ['c', 'f'] }, kind: { const: 'x' } }),
  'numbers within limits': closed({
    a: { type: 'integer', minimum: 5, maximum: 7 },
    b: { type: 'number', multipleOf: 0.5, exclusiveMinimum: 0, maximum: 1 },
  }),
  'texts of a form': closed({
    day: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    handle: { type: 'string', pattern: '^@[a-zA-Z0-9_]+$' },
    mail: { type: 'string', format: 'email' },
    long: { type: 'string', minLength: 50, maxLength: 60 },
  }),
  'a list without repetitions': {
    type: 'array',
    minItems: 3,
    maxItems: 3,
    uniqueItems: true,
    items: { enum: [1, 2, 3] },
  },
  'texts without repetitions': { type: 'array', minItems: 2, uniqueItems: true, items: text },
  'a schema that refers to itself': closed({ value: text, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }),
  'a tree of definitions': {
    $defs: {
      node: closed({ name: { $ref: '#/$defs/name' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }),
      name: text,
    },
    $ref: '#/$defs/node',
  },
  'one of several': { oneOf: [closed({ kind: { const: 'a' }, x: text }), closed({ kind: { const: 'b' }, y: text })] },
  'all of several': {
    allOf: [
      { type: 'object', properties: { a: text }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string', minLength: 20 } } },
    ],
  },
  'further properties': { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2 },
  'a list of fixed places': { type: 'array', prefixItems: [text, { type: 'number' }], items: false, minItems: 2 },
  'an exception': { type: 'integer', not: { const: 0 }, minimum: 0, maximum: 3 },
  'no condition': {},
};

describe('an instance made from a schema', () => {
  it.each(Object.entries(SCHEMAS))('is valid with %s', (_what, schema) => {
    const isValid = ajv.compile(structuredClone(schema));
    for (let seed = 1; seed <= 8; seed++) {
      const instance = instanceOf(schema, seed, 'schema');
      expect({ instance, isValid: isValid(JSON.parse(instance)) }).toMatchObject({ isValid: true });
    }
    expect(instanceOf(schema, 1, 'schema')).toBe(instanceOf(schema, 1, 'schema'));
  });

  it('says that it is simulated in every string without constraints', () => {
    expect(JSON.parse(instanceOf(closed({ city: { ...text, description: 'A town' } }), 1, 'schema'))).toEqual({
      city: 'simulated',
    });
  });

  it.each<[string, JsonObject]>([
    ['too many items', { type: 'array', minItems: 1e8, items: text }],
    ['a text that is too long', { type: 'string', minLength: 1e9 }],
    ['a pattern that is too long', { type: 'string', pattern: '^(a{10000}){10000}$' }],
    ['too much text', { type: 'array', minItems: 60_000, items: { type: 'integer' } }],
    ['a missing reference', { $ref: '#/nowhere' }],
    ['an external reference', { $ref: 'http://127.0.0.1:1/schema.json' }],
  ])('is refused quickly with %s, and the error names the field', (_what, schema) => {
    const startedAt = performance.now();
    expect(() => instanceOf(schema, 1, 'response_format')).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ param: 'response_format' }) }),
    );
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('reaches no prototype', () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"object","properties":{"polluted":{"const":1}},"required":["polluted"]}}',
    );
    instanceOf({ type: 'object', properties, required: ['__proto__'] }, 1, 'schema');
    expect(({} as JsonObject).polluted).toBeUndefined();
  });
});
