import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ArgumentsText } from './tool-arguments.js';

function received(...pieces: string[]): ArgumentsText {
  const text = new ArgumentsText();
  for (const piece of pieces) text.add(piece);
  return text;
}

describe('the arguments of a call', () => {
  it.each(['{}', ' { "a": [1, {"b": "}"}] }\n', '{"a":"\\"}"}', '{"a":"\\\\"}'])('are whole after %j', (text) => {
    expect(received(text).isWhole).toBe(true);
    expect(received(...text).isWhole).toBe(true);
    expect(received(text.trimEnd().slice(0, -1)).isWhole).toBe(false);
  });

  it.each(['', ' ', '[]', '"{}"', 'null', '{a}', '{} x', '{}{}', '{"a":1]', '}{}'])(
    'are never whole after %j',
    (text) => {
      expect(received(text).isWhole).toBe(false);
      expect(received(...text).isWhole).toBe(false);
    },
  );

  it('are whole after any JSON object, in any pieces, and not before its end', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 1, max: 9 }), (value, size) => {
        const text = JSON.stringify(value);
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        expect(received(...pieces).isWhole).toBe(true);
        expect(received(text.slice(0, -1)).isWhole).toBe(false);
      }),
    );
  });

  it('are read in time that grows with their length, however they are cut', () => {
    const text = received();
    const startedMs = performance.now();
    text.add('{"a":"');
    for (let piece = 0; piece < 300_000; piece++) {
      text.add('}');
      if (text.isWhole) throw new Error('not whole yet');
    }
    text.add('"}');
    expect(text.isWhole).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(3000);
  });
});
