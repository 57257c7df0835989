import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../../upstreams/contract/chat.types.js';
import { type ConversationSource, conversationOf } from './conversation.js';

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
