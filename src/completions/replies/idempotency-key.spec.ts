import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, hashOfRequest } from './idempotency-key.js';

const canonical = (value: unknown) => [...canonicalJson(value)].join('');

/** The algorithm of version 0.1, whose hashes are stored. */
function asBefore(value: unknown): string {
  return JSON.stringify(value, (_name, one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

describe('the canonical JSON of a value', () => {
  it('is independent of the order of names, and stable across versions', () => {
    const names = fc.dictionary(
      fc.oneof(fc.string(), fc.nat(20).map(String), fc.constantFrom('', '10', '01')),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(names, (object) => {
        const turned = Object.fromEntries(Object.entries(object).reverse());
        expect(canonical(turned)).toBe(canonical(object));
        expect(canonical(object)).toBe(asBefore(object));
      }),
    );
  });

  it.each(['👩‍👩‍👧', 'é', '"\\\n', '\ud83d', 'ab'])('is the same for a string in pieces, made of %j', (unit) => {
    for (const before of ['', 'x']) {
      const text = before + unit.repeat(200_000);
      expect(canonical([text])).toBe(JSON.stringify([text]));
    }
  });
});

describe('the hash of a request', () => {
  it('is the hash of its canonical JSON, and stable across versions', async () => {
    const wide = {
      model: 'm',
      extra: Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, index])),
    };
    expect(await hashOfRequest('chat.completions', wide)).toEqual(createHash('sha256').update(asBefore(wide)).digest());
  });

  it('is that of the canonical JSON for short requests, too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (object) => {
        const hash = createHash('sha256')
          .update(`responses\n${canonical(object)}`)
          .digest();
        expect(await hashOfRequest('responses', object)).toEqual(hash);
      }),
    );
  });

  it('yields to other work for megabytes', async () => {
    let turns = 0;
    const turn = (): void => {
      turns++;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    await hashOfRequest('chat.completions', {
      messages: [{ content: [{ image_url: { url: 'A'.repeat(30_000_000) } }] }],
    });
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(40);
  });
});
