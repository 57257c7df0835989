import { describe, expect, it } from '@jest/globals';
import { parseExactly } from './exact-json.js';

describe('JSON that is parsed and serialised', () => {
  it.each([
    '{"id":9007199254740993,"in":[{"deep":-12345678901234567890}]}',
    '{"id":9007199254740992,"safe":9007199254740991}',
    '{"text":"9007199254740993"}',
    '[18446744073709551615]',
    '{"a":1.5,"b":true,"c":null}',
  ])('keeps every digit of %s', (text) => {
    expect(JSON.stringify(parseExactly(text))).toBe(text);
  });

  it('is an ordinary value if no integer is too long', () => {
    expect(parseExactly('{"a":9007199254740991,"b":1e400,"c":0.12345678901234566,"d":-1.0e3}')).toEqual({
      a: 9007199254740991,
      b: Number.POSITIVE_INFINITY,
      c: 0.12345678901234566,
      d: -1000,
    });
    expect(parseExactly('9007199254740993')).toBe(9007199254740992);
  });

  it('throws for invalid JSON', () => {
    expect(() => parseExactly('{"a":9007199254740993')).toThrow(SyntaxError);
  });
});
