import { describe, expect, it } from '@jest/globals';
import { exampleOf, limitsOf, shapeOf } from './shape';

const text = { type: 'string' };
const schemas = {
  Part: { type: 'object', properties: { type: { type: 'string', enum: ['text'] }, text }, required: ['type'] },
  Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
};
const part = { $ref: '#/components/schemas/Part' };

describe('what a schema is', () => {
  it.each([
    [text, 'string'],
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
    [{ type: 'array', items: text }, 'array of strings'],
    [{ type: 'array', items: part }, 'array of Part'],
    [{ allOf: [part], description: 'A part.' }, 'Part'],
    [{ anyOf: [text, { type: 'array', items: text }] }, 'string or array of strings'],
    [{ anyOf: [{ anyOf: [text, { type: 'integer' }] }, { type: 'null' }] }, 'string or integer'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map of integers'],
  ])('%j is %s', (schema, type) => {
    expect(shapeOf(schema, schemas).type).toBe(type);
  });

  it('null is not one of its forms', () => {
    for (const schema of [{ type: ['string', 'null'] }, { oneOf: [text, { type: 'null' }] }]) {
      expect(shapeOf(schema, schemas)).toMatchObject({ type: 'string', isNullable: true, variants: [] });
    }
  });

  it('has the fields of its items, and the forms that have fields', () => {
    const { fields } = shapeOf({ type: 'array', items: part }, schemas);
    expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['type', true],
      ['text', false],
    ]);
    const { variants } = shapeOf({ anyOf: [text, part] }, schemas);
    expect(variants.map(({ label }) => label)).toEqual(['Part (type: "text")']);
  });

  it('can contain itself', () => {
    expect(shapeOf({ $ref: '#/components/schemas/Node' }, schemas).fields).toHaveLength(1);
  });
});

it('an example has what is required, with values that are allowed', () => {
  expect(exampleOf({ type: 'array', items: part }, schemas)).toEqual([{ type: 'text' }]);
  expect(exampleOf({ type: 'integer', minimum: 5 }, schemas)).toBe(5);
  expect(exampleOf({ type: 'string', example: 'alice' }, schemas)).toBe('alice');
});

it('limits are described in words', () => {
  expect(limitsOf({ minLength: 1, maxLength: 256 })).toEqual(['1 to 256 characters']);
  expect(limitsOf({ minimum: 0, maximum: 2, default: 1 })).toEqual(['0 to 2', 'default: 1']);
  expect(limitsOf({ maxItems: 4 })).toEqual(['at most 4 items']);
});
