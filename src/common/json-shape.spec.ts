import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonShape } from './json-shape.js';

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

function admits(text: string, maxValues: number, maxDepth: number, pieceLength = Infinity): boolean {
  const bytes = Buffer.from(text);
  const shape = new JsonShape(maxValues, maxDepth);
  for (let at = 0; at < bytes.length; at += pieceLength) {
    if (!shape.admits(bytes.subarray(at, at + pieceLength))) return false;
  }
  return true;
}

const hardText = fc.string({
  unit: fc.constantFrom('\\', '"', '\\\\', '\\"', '[', '{', ',', '}', 'a', '\n', 'é', 'x'.repeat(30)),
  maxLength: 60,
});

describe('the shape of JSON text', () => {
  it('has as many values and as much depth as what it is parsed to, wherever it is cut', () => {
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
  ])('does not count what stands in strings: %s', (_what, content) => {
    const text = JSON.stringify({ a: content, b: [content] });
    for (const pieceLength of [1, 2, 7, 1000, Infinity]) expect(admits(text, 3, 2, pieceLength)).toBe(true);
    expect(admits(text, 2, 2)).toBe(false);
  });

  it('is known without the end of the text', () => {
    expect(admits('{"a":[[', 100, 2)).toBe(false);
    expect(admits('[0,0,0,', 3, 100)).toBe(false);
  });
});
