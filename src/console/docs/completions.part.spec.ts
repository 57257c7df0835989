import { describe, expect, it } from '@jest/globals';
import { titledSchemas } from './completions.part.js';

const part = { title: 'Part', type: 'object', properties: { text: { type: 'string' } } };

describe('a schema with titles', () => {
  it('is split into one schema for each title', () => {
    const whole = {
      title: 'Whole',
      type: 'object',
      properties: { one: part, list: { type: 'array', items: { anyOf: [part, { type: 'null' }] } } },
      additionalProperties: part,
    };
    const ref = { $ref: '#/components/schemas/Part' };
    expect(titledSchemas(whole)).toEqual({
      Part: { type: 'object', properties: { text: { type: 'string' } } },
      Whole: {
        type: 'object',
        properties: { one: ref, list: { type: 'array', items: { anyOf: [ref, { type: 'null' }] } } },
        additionalProperties: ref,
      },
    });
  });

  it('a schema with titles with the same title must be identical', () => {
    const other = { title: 'Part', type: 'string' };
    expect(() => titledSchemas({ anyOf: [part, other] })).toThrow('two different schemas have the title Part');
  });
});
