import { describe, expect, it } from '@jest/globals';
import { promptCeiling } from '../../tokens/prompt-ceiling.js';
import { claudeSchema } from './claude-schema.js';

/** What the schema reserves as a part of a prompt. */
const ceilingOf = (schema: object) => promptCeiling({ model: 'm', messages: [], schema }, 0).tokens;

const CLOSED = { additionalProperties: false };

describe("a JSON schema for Claude's structured outputs", () => {
  it('has only closed objects, at any depth', () => {
    const object = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
    const schema = {
      ...object,
      properties: { list: { type: 'array', items: object }, any: { anyOf: [object, { type: 'null' }] } },
      $defs: { open: { ...object, additionalProperties: true }, untyped: { properties: {} } },
    };
    const closed = { ...object, ...CLOSED };
    expect(claudeSchema(schema)).toEqual({
      ...closed,
      properties: { list: { type: 'array', items: closed }, any: { anyOf: [closed, { type: 'null' }] } },
      $defs: { open: closed, untyped: { type: 'object', properties: {}, ...CLOSED } },
    });
  });

  it('moves unsupported keywords into descriptions', () => {
    const age = { type: 'integer', description: 'In years', minimum: 0, maximum: 150 };
    expect(claudeSchema(age)).toEqual({ type: 'integer', description: 'In years\n\n{minimum: 0, maximum: 150}' });
    expect(claudeSchema({ type: 'string', maxLength: 9, pattern: '^a' })).toEqual({
      type: 'string',
      description: '{maxLength: 9, pattern: "^a"}',
    });
    expect(claudeSchema({ type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 })).toEqual({
      type: 'array',
      items: { type: 'string' },
      description: '{minItems: 2, maxItems: 3}',
    });
    expect(claudeSchema({ type: 'object', additionalProperties: { type: 'string' } })).toEqual({
      type: 'object',
      ...CLOSED,
      description: '{additionalProperties: {"type":"string"}}',
    });
    expect(claudeSchema({ type: 'string', format: 'phone' }).description).toBe('{format: "phone"}');
    expect(claudeSchema({ enum: [{ a: 1 }] }).description).toBe('{enum: [{"a":1}]}');
  });

  it.each<[string, string]>([
    ['control characters', '\u0001'],
    ['line breaks', '\n'],
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['halves of characters', '\ud800'],
    ['names of escapes', '\\u0001'],
  ])('does not grow by unsupported keywords with %s', (_what, text) => {
    const long = text.repeat(10_000);
    for (const value of [long, { [long]: [long, { a: long }] }]) {
      const schema = { type: 'string', pattern: value };
      const sent = claudeSchema(schema);
      expect(String(sent.description)).toContain(long);
      const bound = ceilingOf(schema);
      expect(ceilingOf(sent)).toBeLessThan(bound * 1.01);
    }
  });

  it('keeps supported keywords', () => {
    const taken = {
      $defs: { day: { type: 'string', format: 'date' } },
      type: 'object',
      title: 'T',
      description: 'd',
      properties: {
        day: { $ref: '#/$defs/day' },
        kind: { type: 'string', enum: ['a', null] },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
        maximum: { const: 1 },
      },
      required: ['day'],
      ...CLOSED,
    };
    expect(claudeSchema(taken)).toEqual(taken);
  });

  it('keeps only definitions next to a reference', () => {
    const schema = { $schema: 'draft', $ref: '#/$defs/a', description: 'x', $defs: { a: { type: 'null' } } };
    expect(claudeSchema(schema)).toEqual({ $ref: '#/$defs/a', $defs: { a: { type: 'null' } } });
  });

  it('converts oneOf to anyOf', () => {
    expect(claudeSchema({ oneOf: [{ type: 'null' }] })).toEqual({ anyOf: [{ type: 'null' }] });
  });
});
