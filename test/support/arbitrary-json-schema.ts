import fc from 'fast-check';

const { node } = fc.letrec<{ node: Record<string, unknown> }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Record<string, unknown>>(
      {},
      { type: 'string', description: 'A word' },
      { type: 'string', nullable: true },
      { type: ['string', 'null'] },
      { type: 'integer', minimum: 0, maximum: 9 },
      { type: 'string', enum: ['a', 'b'], nullable: true },
      { type: 'number', default: 1 },
      { const: 'a' },
      { $ref: '#/$defs/word' },
    ),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ anyOf: fc.tuple(tie('node'), tie('node')) }),
    object(tie('node')),
  ),
}));

function object(property: fc.Arbitrary<unknown>) {
  return fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), property, { maxKeys: 2 }),
      required: fc.constantFrom([], ['a']),
      nullable: fc.constant(true),
      additionalProperties: fc.oneof(fc.boolean(), property),
    },
    { requiredKeys: ['type', 'properties'] },
  );
}

/** An object schema as callers write it: nested, open or closed, with nulls in both spellings. */
export const arbitraryJsonSchema: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(object(node), fc.constantFrom({}, { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'T' }))
  .map(([schema, notes]) => ({ ...notes, ...schema, $defs: { word: { type: 'string' } } }));
