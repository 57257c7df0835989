import { describe, expect, it } from '@jest/globals';
import { PartialArguments } from './partial-arguments.js';

function joined(pieces: unknown, first?: unknown): unknown {
  const args = new PartialArguments(first);
  args.add(pieces);
  return JSON.parse(args.toJson());
}

describe('PartialArguments', () => {
  it('puts every kind of value at its path', () => {
    const pieces = [
      { jsonPath: '$.name', stringValue: 'Zürich' },
      { jsonPath: '$.orders[0].count', numberValue: 0 },
      { jsonPath: '$.orders[0].paid', boolValue: false },
      { jsonPath: '$.orders[1].note', nullValue: 'NULL_VALUE' },
      { jsonPath: "$['a.b'][\"it's\"].deep", stringValue: '' },
      { jsonPath: '$.grid[0][1]', numberValue: 2 },
    ];
    expect(joined(pieces)).toEqual({
      name: 'Zürich',
      orders: [{ count: 0, paid: false }, { note: null }],
      'a.b': { "it's": { deep: '' } },
      grid: [[2]],
    });
  });

  it('joins pieces of text and keeps initial values', () => {
    const pieces = ['He', 'llo', ''].map((stringValue) => ({ jsonPath: '$.text', stringValue, willContinue: true }));
    expect(joined(pieces, { id: 7 })).toEqual({ id: 7, text: 'Hello' });
  });

  it.each([undefined, [null, 7, {}, { jsonPath: 3 }, { jsonPath: '' }, { jsonPath: '$' }]])(
    'is an empty object for %j',
    (pieces) => expect(joined(pieces)).toEqual({}),
  );

  it('does not reach prototypes of initial values', () => {
    const before = JSON.parse('{"a":{"b":[{}]},"__proto__":{"own":1}}');
    const pieces = ['$.a.__proto__.polluted', '$.a.b[0].constructor.prototype.polluted', '$.__proto__.polluted'];
    const args = new PartialArguments(before);
    args.add(pieces.map((jsonPath) => ({ jsonPath, boolValue: true })));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(args.toJson()).toBe(
      '{"a":{"b":[{"constructor":{"prototype":{"polluted":true}}}],"__proto__":{"polluted":true}},' +
        '"__proto__":{"own":1,"polluted":true}}',
    );
  });

  it('does not reach a prototype, and does not create a long list for one entry', () => {
    const args = new PartialArguments(undefined);
    args.add([
      { jsonPath: '$.__proto__.polluted', boolValue: true },
      { jsonPath: '$.constructor.prototype.polluted', boolValue: true },
      { jsonPath: '$.list[4294967294]', numberValue: 1 },
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(args.toJson()).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"list":[1]}',
    );
  });
});
