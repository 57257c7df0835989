import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import { Affinity } from './affinity.js';
import { MovedConversations } from './moved-conversations.js';
import { rendezvousScore } from './rendezvous.js';

const CONVERSATIONS = Array.from({ length: 20_000 }, (_, index) => hash('sha256', `conversation ${index}`, 'buffer'));

function place(name: string, weight: number) {
  return { target: { id: `${name}/m`, upstream: { name }, upstreamModel: 'm', weight } as LiveTarget };
}

const PLACES = [place('a', 1), place('b', 1), place('c', 2), place('d', 4)];

describe('rendezvous hashing', () => {
  const chosen = (conversation: Buffer, places = PLACES) => {
    const scores = places.map(({ target }) => rendezvousScore(conversation, target));
    return places[scores.indexOf(Math.max(...scores))]?.target.upstream.name;
  };

  it('gives each target a share of conversations in proportion to its weight', () => {
    const counts: Record<string, number> = {};
    for (const conversation of CONVERSATIONS) {
      const name = chosen(conversation) ?? '';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    for (const { target } of PLACES) {
      const share = (counts[target.upstream.name] ?? 0) / CONVERSATIONS.length;
      expect(Math.abs(share / (target.weight / 8) - 1)).toBeLessThan(0.05);
    }
  });

  it('moves only the conversations of a removed target, in proportion to the weights', () => {
    const left = PLACES.slice(0, 3);
    const moved: Record<string, number> = { a: 0, b: 0, c: 0 };
    for (const conversation of CONVERSATIONS) {
      const before = chosen(conversation);
      const after = chosen(conversation, left) ?? '';
      if (before === 'd') moved[after] = (moved[after] ?? 0) + 1;
      else expect(after).toBe(before);
    }
    const all = Object.values(moved).reduce((sum, count) => sum + count, 0);
    expect((moved.c ?? 0) / all).toBeCloseTo(0.5, 1);
  });
});

describe('a conversation', () => {
  const affinity = (moved: MovedConversations, sessionId?: string) =>
    new Affinity(
      {
        caller: { keyId: 'k', userId: 'u' },
        model: { id: 'm', affinity: true },
        request: { model: 'm', messages: [{ role: 'user', content: 'Hello' }] },
        sessionId,
      },
      moved,
    );

  it('has a target; a single call does not', () => {
    const moved = new MovedConversations();
    const first = affinity(moved, 's').among(PLACES);
    expect(first).not.toBeNull();
    for (let turn = 0; turn < 8; turn++) expect(affinity(moved, 's').among([...PLACES].reverse())).toBe(first);
    expect(affinity(moved).among(PLACES)).toBeNull();
  });

  it('stays at the new target after its own failed, and is stored only in that case', () => {
    const moved = new MovedConversations();
    const learned: string[] = [];
    moved.learned.subscribe(({ targetId }) => learned.push(targetId));
    const own = affinity(moved, 's').among(PLACES);
    if (own === null) throw new Error('no target was chosen');
    affinity(moved, 's').servedBy(own, PLACES);
    expect(learned).toEqual([]);

    const healthy = PLACES.filter((one) => one !== own);
    const other = affinity(moved, 's').among(healthy);
    if (other === null) throw new Error('no other target was chosen');
    affinity(moved, 's').servedBy(other, PLACES);
    affinity(moved, 's').servedBy(other, PLACES);
    expect(learned).toEqual([other.target.id]);
    expect(affinity(moved, 's').among(PLACES)).toBe(other);

    const third = affinity(moved, 's').among(PLACES.filter((one) => one !== other));
    expect(third).toBe(own);
    affinity(moved, 's').servedBy(own, PLACES);
    expect(affinity(moved, 's').among(PLACES)).toBe(own);
  });
});
