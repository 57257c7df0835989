import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import { validConversation } from '../../../../test/support/conversations.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { JsonObject } from '../../contract/json.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { alternating, perplexityDialect } from './perplexity.dialect.js';

const adapter = openAiAdapter(perplexityDialect);
const call = providerCall();
const citations = ['https://a.example/1', 'https://b.example/2'];

describe('the citations of Perplexity', () => {
  const cited = (start: number, end: number, url: string | undefined, title = url) => ({
    type: 'url_citation',
    url_citation: { start_index: start, end_index: end, url, title },
  });
  const content = 'Rome[1] is old[2][1], not [3] or [x].';
  const expected = (title?: string) => [
    cited(4, 7, citations[0]),
    cited(14, 17, citations[1], title),
    cited(17, 20, citations[0]),
  ];

  it('have the positions at which the text refers to a source', () => {
    const search_results = [
      { title: 'B', url: citations[1] },
      { title: 'Found, not cited', url: 'https://c.example' },
    ];
    const body = { citations, search_results, choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] };
    const completion = adapter.fromResponse(body, call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(completion.choices[0]?.message.annotations).toEqual(expected('B'));
  });

  it('are sent once in a stream, with the finish reason, even if a mark is split', async () => {
    const pieces = ['Rome[', '1] is old[2', '][1], not [3]', ' or [x].'];
    const events = pieces.map((content) => ({ citations, choices: [{ index: 0, delta: { content } }] }));
    const done = {
      object: 'chat.completion.done',
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }],
    };
    const framed = [...events, done].map((event) => ({ event: '', data: JSON.stringify(event) }));
    const chunks = await lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
    expect(chunks.flatMap((chunk) => schemaFaults('chunk', chunk))).toEqual([]);
    const telling = chunks.filter(({ choices }) => choices[0]?.delta.annotations);
    expect(telling.map(({ choices: [choice] }) => [choice?.finish_reason, choice?.delta.annotations])).toEqual([
      ['stop', expected()],
    ]);
  });

  it('are empty if the text refers to no source', () => {
    const body = { citations, choices: [{ index: 0, message: { content: 'Rome' }, finish_reason: 'stop' }] };
    expect(adapter.fromResponse(body, call).choices[0]?.message).not.toHaveProperty('annotations');
  });
});

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
