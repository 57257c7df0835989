import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseInTurns, stringifyInTurns } from './json-in-turns.js';
import { BODY_BOUNDS, JsonShape } from './json-shape.js';

const MB = 1024 * 1024;

/** Parses like the body reader, and also returns the number of turns. */
async function parsed(text: string | Buffer) {
  const bytes = Buffer.from(text);
  const shape = new JsonShape(BODY_BOUNDS);
  if (!shape.admits(bytes)) throw new Error(`too much: ${shape.broken}`);
  let turns = 0;
  const value = await parseInTurns(bytes, shape.strings, async () => turns++);
  return { value, turns };
}

async function written(value: object) {
  let turns = 0;
  const bytes = await stringifyInTurns(value, async () => turns++);
  return { text: bytes.toString(), turns };
}

/** Parts of a long text, which may be cut within any of them. */
const recipe = fc.record({
  parts: fc.array(fc.constantFrom('a', 'é', '中', '😀', '\\', '"', '\n', '\u0001', '\ud800', '\udc00'), {
    minLength: 1,
    maxLength: 7,
  }),
  shift: fc.nat(6),
});

function longText({ parts, shift }: { parts: string[]; shift: number }): string {
  return 'x'.repeat(shift) + parts.join('').repeat((1.2 * MB) / parts.length);
}

/** With unnecessary escapes, as some clients write them. */
const escaped = (json: string) =>
  json.replace(/[^\x20-\x7e]/gu, (one) =>
    Array.from({ length: one.length }, (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

describe('JSON with long strings', () => {
  it('is parsed in turns with the same result as JSON.parse', async () => {
    await fc.assert(
      fc.asyncProperty(recipe, fc.boolean(), async (made, isEscaped) => {
        const long = longText(made);
        const json = JSON.stringify({ a: long, b: [1, long, { [`n${long.slice(0, 10)}`]: [long] }, null], c: 'short' });
        const text = isEscaped ? escaped(json) : json;
        const { value, turns } = await parsed(text);
        expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true);
        expect(turns).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 6 },
    );
  });

  it('is written in turns with the same result as JSON.stringify', async () => {
    await fc.assert(
      fc.asyncProperty(recipe, async (made) => {
        const long = longText(made);
        const value = { a: long, b: [undefined, long, { c: [long] }, null], d: JSON.rawJSON('12345678901234567890') };
        const { text, turns } = await written(value);
        expect(JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(JSON.stringify(value)))).toBe(true);
        expect(text).toContain('"d":12345678901234567890');
        expect(turns).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 10 },
    );
  });

  it('handles base64, special property names, and a byte order mark', async () => {
    const base64 = Buffer.alloc(3 * MB, 'image').toString('base64');
    const text = `\ufeff{"__proto__":["${base64}"],"constructor":"${base64}"}`;
    const { value } = await parsed(text);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.values(value as object)).toEqual([[base64], base64]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each([
    ['a control character in plain text', (long: string) => `["${long}\n"]`],
    ['a control character next to escapes', (long: string) => `["\\n${long}\n"]`],
    ['an invalid escape', (long: string) => `["${long}\\x"]`],
    ['a truncated escape', (long: string) => `["${long}\\u12"]`],
    ['no end', (long: string) => `["${long}"`],
    ['two strings in a row', (long: string) => `["${long}" "${long}"]`],
    ['a single unterminated string', (long: string) => `"${long}`],
  ])('is rejected for %s', async (_what, toText) => {
    await expect(parsed(toText('x'.repeat(3 * MB)))).rejects.toThrow(SyntaxError);
  });

  it('may be a single string', async () => {
    const long = 'x'.repeat(3 * MB);
    expect((await parsed(`"${long}"`)).value).toBe(long);
  });
});
