import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonBounds, JsonShape } from './json-shape.js';

/** The smallest bounds that admit a text, found by its parsed value. */
function shapeOf(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, depth: 0 };
  const inner = Object.values(value).map(shapeOf);
  const commas = Math.max(inner.length - 1, 0);
  return {
    values: 1 + commas + inner.reduce((sum, { values }) => sum + values, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

const UNBOUNDED = {
  values: Infinity,
  depth: Infinity,
  fields: Infinity,
  layouts: Infinity,
  nameLength: Infinity,
  shortBytes: Infinity,
};

function admits(text: string, values: number, depth: number, pieceLength = Infinity): boolean {
  return shapeRead(text, { values, depth }, pieceLength).broken === null;
}

/** The shape of a text in pieces, up to the piece that exceeds a bound. */
function shapeRead(text: string, bounds: Partial<JsonBounds>, pieceLength = Infinity): JsonShape {
  const bytes = Buffer.from(text);
  const shape = new JsonShape({ ...UNBOUNDED, ...bounds });
  for (let at = 0; at < bytes.length; at += pieceLength) {
    if (!shape.admits(bytes.subarray(at, at + pieceLength))) break;
  }
  return shape;
}

const hardText = fc.string({
  unit: fc.constantFrom('\\', '"', '\\\\', '\\"', '[', '{', ',', '}', 'a', '\n', 'é', 'x'.repeat(30)),
  maxLength: 60,
});

describe('the shape of JSON text', () => {
  it('has the number of values and the depth of the parsed value, wherever the text is cut', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        hardText,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(hardText, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 40 }), fc.boolean(), (parsed, pieceLength, spaced) => {
        const text = JSON.stringify(parsed, null, spaced ? 2 : 0);
        const { values, depth } = shapeOf(JSON.parse(text));
        expect(admits(text, values, depth, pieceLength)).toBe(true);
        expect(values > 0 && admits(text, values - 1, depth, pieceLength)).toBe(false);
        expect(depth > 0 && admits(text, values, depth - 1, pieceLength)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['brackets', '[]{},,'.repeat(1000)],
    ['escaped quotes', '",[{'.repeat(1000)],
    ['backslashes', `${'\\'.repeat(999)}"[,`.repeat(5)],
  ])('ignores the content of strings: %s', (_what, content) => {
    const text = JSON.stringify({ a: content, b: [content] });
    for (const pieceLength of [1, 2, 7, 1000, Infinity]) expect(admits(text, 3, 2, pieceLength)).toBe(true);
    expect(admits(text, 2, 2)).toBe(false);
  });

  it.each([1, 2, 7, 1000, Infinity])('distinguishes names from other strings in pieces of %d bytes', (pieceLength) => {
    const name = 'n'.repeat(300);
    const text = `{"a" \n: "${name}","b":["${name}"],"c":"${name}" ,"${name}" : 1}`;
    expect(shapeRead(text, { nameLength: 299 }, pieceLength).broken).toBe('nameLength');
    expect(shapeRead(text, { nameLength: 300 }, pieceLength).broken).toBeNull();
    expect(shapeRead(text.replace(`"${name}" : 1`, '"d":1'), { nameLength: 10 }, pieceLength).broken).toBeNull();
  });

  it('counts only the fields of the outermost object', () => {
    const text = '{"a":[1,2,3,4],"b":{"a":1,"b":2,"c":3,"d":4},"c":"1,2,3"}';
    expect(shapeRead(text, { fields: 3 }).broken).toBeNull();
    expect(shapeRead(text, { fields: 2 }).broken).toBe('fields');
  });

  it.each([1, 7, 1000, Infinity])('does not count long strings as short bytes, in pieces of %d', (pieceLength) => {
    const text = `{"a":"${'x'.repeat(10_000)}","b":${' '.repeat(2000)}[${'1'.repeat(1000)}]}`;
    expect(shapeRead(text, { shortBytes: 3030 }, pieceLength).broken).toBeNull();
    expect(shapeRead(text, { shortBytes: 3000 }, pieceLength).broken).toBe('shortBytes');
    expect(shapeRead('9'.repeat(3001), { shortBytes: 3000 }, pieceLength).broken).toBe('shortBytes');
  });

  const objects = (count: number, nameOf: (object: number, at: number) => string) =>
    JSON.stringify(
      Array.from({ length: count }, (_, object) =>
        Object.fromEntries(Array.from({ length: 30 }, (__, at) => [nameOf(object, at), 0])),
      ),
    );

  it.each<[string, string]>([
    ['new names', objects(1000, (object, at) => `name ${object} ${at}`)],
    ['the same names in different orders', objects(1000, (object, at) => `name ${(at * (object + 1)) % 9973}`)],
  ])('has many layouts for many objects with %s', (_what, text) => {
    for (const pieceLength of [1, 100, Infinity]) {
      expect(shapeRead(text, { layouts: 25_000 }, pieceLength).broken).toBe('layouts');
      expect(shapeRead(text, { layouts: 31_000 }, pieceLength).broken).toBeNull();
    }
  });

  it('has one layout for objects with the same names', () => {
    const text = objects(3000, (_, at) => `name ${at}`);
    expect(shapeRead(text, { layouts: 10_060 }, 1000).broken).toBeNull();
  });

  it('lists the long strings that are values', () => {
    const long = `${'é\\"'.repeat(1000)}`;
    const text = `{"${long}":"${long}","b":["short","${long}"]}`;
    for (const pieceLength of [1, 100, Infinity]) {
      const { strings } = shapeRead(text, {}, pieceLength);
      const bytes = Buffer.from(text);
      expect(strings.map(({ from, to }) => bytes.toString('utf8', from, to))).toEqual([long, long]);
    }
  });

  it('reports an exceeded bound before the end of the text', () => {
    expect(admits('{"a":[[', 100, 2)).toBe(false);
    expect(admits('[0,0,0,', 3, 100)).toBe(false);
  });
});
