import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validConversation } from '../../../../test/support/conversations.js';
import type { JsonObject } from '../../contract/json.js';
import { alternating } from './messages.js';

describe('a conversation with Perplexity', () => {
  it('merges adjacent messages of one role, and later system messages into user messages', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    expect(
      alternating([
        { role: 'system', content: 'a' },
        { role: 'system', content: 'b' },
        { role: 'user', content: 'c' },
        { role: 'user', content: 'd' },
        { role: 'assistant', content: 'e' },
        { role: 'system', content: 'f' },
        { role: 'user', content: [image] },
        { role: 'user', content: '' },
      ]),
    ).toEqual([
      { role: 'system', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'user', content: 'c\n\nd' },
      { role: 'assistant', content: 'e' },
      { role: 'user', content: [{ type: 'text', text: 'f' }, image] },
    ]);
  });

  it('is passed on unchanged if it is valid', () => {
    const messages = [
      { role: 'system', content: 'a' },
      { role: 'user', content: 'b' },
      { role: 'assistant', content: 'c' },
      { role: 'user', content: 'd' },
    ];
    expect(alternating(messages)).toBe(messages);
    expect(alternating(messages.slice(0, 1))).toEqual(messages.slice(0, 1));
  });

  it('starts with system messages, alternates roles and keeps all text', () => {
    fc.assert(
      fc.property(validConversation(), (messages) => {
        const turns = alternating(messages as unknown as JsonObject[]);
        const roles = turns.map(({ role, tool_calls }) => (tool_calls ? 'tool' : role));
        const opening = roles.findIndex((role) => role !== 'system');
        expect(opening < 0 ? [] : roles.slice(opening)).not.toContain('system');
        const neighbours = roles.filter(
          (role, at) => (role === 'user' || role === 'assistant') && role === roles[at - 1],
        );
        expect(neighbours).toEqual([]);
        expect(wordsOf(turns)).toEqual(wordsOf(messages));
      }),
    );
  });
});

function wordsOf(messages: readonly object[]): string[] {
  const texts = messages.flatMap((message) => {
    const content = 'content' in message ? message.content : undefined;
    if (typeof content === 'string') return content;
    return Array.isArray(content) ? content.map((part) => part.text ?? JSON.stringify(part)) : [];
  });
  return texts
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '');
}
