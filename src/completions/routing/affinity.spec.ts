import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../../upstreams/contract/chat.types.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { Affinity, type ConversationSource, conversationOf, MovedConversations, rendezvousScore } from './affinity.js';

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

const system = { role: 'system', content: 'You are terse.' } as const;
const hello = { role: 'user', content: 'Hello' } as const;
const answer = { role: 'assistant', content: 'Hi.' } as const;
const more = { role: 'user', content: 'Go on.' } as const;

interface Given {
  messages?: readonly ChatMessage[];
  fields?: object;
  sessionId?: string;
  keyId?: string;
  model?: string;
  affinity?: boolean;
}

function nameOf(given: Given): string | null {
  const { messages = [hello], fields = {}, sessionId, keyId = 'k', model = 'm', affinity = true } = given;
  const source: ConversationSource = {
    caller: { keyId, userId: 'u' },
    model: { id: model, affinity },
    request: { model, messages, ...fields },
    sessionId,
  };
  return conversationOf(source)?.toString('hex') ?? null;
}

const later = [system, hello, answer, more];

describe('a conversation', () => {
  it('is not recognized by a first question alone', () => {
    expect(nameOf({})).toBeNull();
    expect(nameOf({ messages: [system, hello] })).toBeNull();
  });

  it('is recognized from the second turn on, with the same hash in later turns', () => {
    const second = nameOf({ messages: later });
    expect(second).toHaveLength(64);
    expect(nameOf({ messages: [...later, answer, more] })).toBe(second);
    expect(nameOf({ messages: [...later, { role: 'system', content: 'Be kind.' }] })).toBe(second);
  });

  it.each<[string, Given]>([
    ['key', { messages: later, keyId: 'other' }],
    ['model', { messages: later, model: 'other' }],
    ['system text', { messages: [{ ...system, content: 'You are chatty.' }, hello, answer, more] }],
    ['first question', { messages: [system, { ...hello, content: 'Bye' }, answer, more] }],
    ['first image', { messages: [system, image('data:image/png;base64,AAAA'), answer, more] }],
    ['role of the first text', { messages: [{ role: 'developer', content: system.content }, hello, answer, more] }],
  ])('differs with another %s', (_, given) => {
    expect(nameOf(given)).not.toBe(nameOf({ messages: later }));
  });

  it('distinguishes long texts by beginning, end and length', () => {
    const question = (content: string) => nameOf({ messages: [{ role: 'user', content }, answer, more] });
    const filler = 'x'.repeat(5000);
    const names = [`a${filler}a`, `b${filler}a`, `a${filler}b`, `a${filler}xa`].map(question);
    expect(new Set(names).size).toBe(4);
  });

  it.each<[string, Given]>([
    ['prompt_cache_key', { fields: { prompt_cache_key: 's' } }],
    ['header', { sessionId: 's' }],
    ['session of Claude Code', { fields: { metadata: { user_id: 'user_ab_account_cd_session_1234-5678' } } }],
    ['session in JSON', { fields: { metadata: { user_id: '{"device_id":"d","session_id":"1234-5678"}' } } }],
  ])('is recognized immediately by its %s, for any messages', (_, given) => {
    const name = nameOf(given);
    expect(name).toHaveLength(64);
    expect(nameOf({ ...given, messages: later, keyId: 'other', model: 'other' })).toBe(name);
  });

  it('is recognized by the first of these', () => {
    const metadata = { user_id: 'user_ab_account_cd_session_1234-5678' };
    const byKey = nameOf({ fields: { prompt_cache_key: 's' } });
    expect(nameOf({ fields: { prompt_cache_key: 's', metadata }, sessionId: 'other' })).toBe(byKey);
    expect(nameOf({ fields: { metadata }, sessionId: 'other' })).toBe(nameOf({ sessionId: 'other' }));
    expect(nameOf({ fields: { prompt_cache_key: '', metadata: null } })).toBeNull();
    expect(nameOf({ fields: { metadata: { user_id: 'somebody' } } })).toBeNull();
  });

  it('is not recognized when its model has no affinity', () => {
    expect(nameOf({ fields: { prompt_cache_key: 's' }, sessionId: 's', messages: later, affinity: false })).toBeNull();
  });
});

function image(url: string): ChatMessage {
  return { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
}
