import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KnownCaller } from './caller.types.js';
import { CallerCache } from './caller-cache.js';

const ids = (count: number) => fc.integer({ min: 0, max: count - 1 }).map(String);

/** `onRead` is called each time the entry's owner is read. */
function entryOf(keyId: string, userId: string, planId: string, onRead = () => {}) {
  const caller = {
    keyDisplay: 'svc_ab12…9xYz',
    models: null,
    logsContent: false,
    guards: [],
    cacheSeconds: null,
    project: null,
    limits: [],
    get keyId() {
      onRead();
      return keyId;
    },
    get userId() {
      onRead();
      return userId;
    },
    get plan() {
      onRead();
      return { id: planId, tiers: new Set<string>(), models: new Set<string>() };
    },
  };
  const times = { keyExpiresAt: null, planChangesAt: null, personId: null };
  const known: KnownCaller = {
    caller,
    disabledBy: null,
    ownerDisabled: false,
    projectArchived: false,
    addresses: null,
    ...times,
  };
  return { known, loadedAt: 0 };
}

describe('the cache of callers', () => {
  it('visits only the entries that a change affects, out of 100,000', () => {
    const cache = new CallerCache(100_000);
    let reads = 0;
    const onRead = () => void reads++;
    for (let i = 0; i < 100_000; i++) {
      cache.set(`hash-${i}`, entryOf(`key-${i}`, `user-${i % 20_000}`, `plan-${i % 4}`, onRead));
    }
    const touchedBy = (what: string) => {
      reads = 0;
      cache.forget(what);
      return reads;
    };
    expect(touchedBy('user:user-7')).toBeLessThanOrEqual(5 * 3);
    expect(touchedBy('key:key-8')).toBeLessThanOrEqual(3);
    expect(touchedBy('user:nobody')).toBe(0);
    expect(touchedBy('plan:plan-2')).toBe(0);
    expect([7, 20_007, 8, 2, 6].map((i) => cache.get(`hash-${i}`))).toEqual(Array(5).fill(undefined));
    expect([9, 20_008, 3].map((i) => cache.get(`hash-${i}`)?.known.caller.keyId)).toEqual([
      'key-9',
      'key-20008',
      'key-3',
    ]);
  });

  it('uses entries loaded after a change of their plan', () => {
    const cache = new CallerCache(10);
    cache.set('hash', entryOf('k', 'u', 'pro'));
    cache.forget('plan:pro');
    expect(cache.get('hash')).toBeUndefined();
    cache.set('hash', entryOf('k', 'u', 'pro'));
    expect(cache.get('hash')?.known.caller.keyId).toBe('k');
  });

  it('removes the same entries as a full scan, for any insertions, evictions and changes', () => {
    const step = fc.oneof(
      fc.record({ put: ids(12), key: ids(8), user: ids(4), plan: ids(3) }),
      fc.record({ change: fc.oneof(...['key', 'user', 'plan'].map((kind) => ids(8).map((id) => `${kind}:${id}`))) }),
      fc.record({ drop: ids(12) }),
      fc.constant({ clear: true }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const cache = new CallerCache(6);
        const all = new Map<string, ReturnType<typeof entryOf>>();
        for (const one of steps) {
          if ('put' in one) {
            const entry = entryOf(one.key, one.user, one.plan);
            cache.set(one.put, entry);
            all.set(one.put, entry);
          } else if ('change' in one) {
            cache.forget(one.change);
            for (const [hash, { known }] of all) {
              const { keyId, userId, plan } = known.caller;
              if ([`key:${keyId}`, `user:${userId}`, `plan:${plan.id}`].includes(one.change)) all.delete(hash);
            }
          } else if ('drop' in one) {
            cache.delete(one.drop);
            all.delete(one.drop);
          } else {
            cache.clear();
            all.clear();
          }
          const { entries, indexed } = cache.sizes;
          expect(indexed).toBe(entries * 2);
        }
        // It may have evicted some more entries, the least recently used ones.
        const found = Array.from({ length: 12 }, (_, i) => String(i)).filter((hash) => cache.get(hash));
        for (const hash of found) expect(cache.get(hash)).toBe(all.get(hash));
        if (all.size === 0) expect(found).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
