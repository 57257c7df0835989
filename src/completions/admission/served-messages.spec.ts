import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../../upstreams/contract/chat.types.js';
import { pathInRequest, servedMessages } from './served-messages.js';

const requesting = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const result = (id: string, content: unknown = id) => ({ role: 'tool', tool_call_id: id, content }) as ChatMessage;
const user = { role: 'user', content: 'Wait.' } as const;
const developer = { role: 'developer', content: 'Be brief.' } as const;
const text = (words: string) => ({ type: 'text', text: words });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'AA' } };
const LABEL = text('Images and files of the tool result a:');
const ELSEWHERE = '(The images and files of this result are in the next message of the user.)';

describe('the messages for a target', () => {
  it.each<[string, ChatMessage[], ChatMessage[]]>([
    [
      'a message between',
      [user, requesting('a'), developer, result('a')],
      [user, requesting('a'), result('a'), developer],
    ],
    [
      'a message between two results',
      [requesting('a', 'b'), result('b'), user, result('a')],
      [requesting('a', 'b'), result('b'), result('a'), user],
    ],
    [
      'calls in two messages',
      [requesting('a'), requesting('b'), result('a'), result('b')],
      [requesting('a'), result('a'), requesting('b'), result('b')],
    ],
    [
      'an id that repeats',
      [requesting('a'), result('a', '1'), requesting('a'), user, result('a', '2')],
      [requesting('a'), result('a', '1'), requesting('a'), result('a', '2'), user],
    ],
    [
      'a result without a call',
      [requesting('a'), user, result('x'), result('a')],
      [requesting('a'), result('a'), user, result('x')],
    ],
  ])('have results directly behind their calls: %s', (_what, messages, expected) => {
    expect(servedMessages(messages, false)?.messages).toEqual(expected);
  });

  it.each([
    ['no results', [user, requesting('a')]],
    ['results in order', [user, requesting('a', 'b'), result('a'), result('b'), user]],
    ['text parts in results', [requesting('a'), result('a', [text('x'), text('y')])]],
  ])('are those of the request with %s', (_what, messages) => {
    expect(servedMessages(messages, false)).toBeNull();
  });

  it('have images and files of results in a user message behind all results, or at the beginning of the next', () => {
    const results = [requesting('a', 'b'), result('a', [text('See:'), image, file]), result('b')];
    const served = [requesting('a', 'b'), result('a', `See:\n${ELSEWHERE}`), result('b')];
    expect(servedMessages(results, false)?.messages).toEqual([
      ...served,
      { role: 'user', content: [LABEL, image, file] },
    ]);
    expect(servedMessages([...results, developer, user], false)?.messages).toEqual([
      ...served,
      { role: 'user', content: [LABEL, image, file] },
      developer,
      user,
    ]);
    expect(servedMessages([...results, user], false)?.messages).toEqual([
      ...served,
      { role: 'user', content: [LABEL, image, file, text('Wait.')] },
    ]);
  });

  it('keep images in results where the target takes them there', () => {
    const messages = [requesting('a'), result('a', [image, text('x')])];
    expect(servedMessages(messages, true)).toBeNull();
    expect(servedMessages([requesting('a'), result('a', [image, file])], true)?.messages).toEqual([
      requesting('a'),
      result('a', [image, text(ELSEWHERE)]),
      { role: 'user', content: [LABEL, file] },
    ]);
  });

  it.each([
    ['messages[0].content', 'messages[0].content'],
    ['messages[1].content[0]', 'messages[2]'],
    ['messages[2].content[1].file.file_data', 'messages[2]'],
    ['messages[3].content[0]', 'messages[1].content[0]'],
    ['messages', 'messages'],
    ['tools[1]', 'tools[1]'],
  ])('have a path in the request for each field: %s is %s', (path, expected) => {
    const request = [requesting('a'), developer, result('a', [file])];
    const served = servedMessages(request, true);
    expect(served && pathInRequest(path, served, request)).toBe(expected);
  });

  it('are found in time that grows with their number only', () => {
    const ids = Array.from({ length: 30_000 }, (_, index) => `c${index}`);
    const messages = [requesting(...ids), user, ...ids.map((id) => result(id))];
    const begun = performance.now();
    expect(servedMessages(messages, false)?.messages.at(-1)).toBe(user);
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
