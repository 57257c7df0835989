import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../common/gateway.error.js';
import type { ChatMessage, ContentPart, FilePart, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { toMessages } from './messages.js';

const user: ChatMessage = { role: 'user', content: 'Hi' };
const text = (words: string) => ({ type: 'text', text: words });

function call(id: string, parameters = '{}', more: object = {}): ToolCall {
  return { id, type: 'function', function: { name: 'look_up', arguments: parameters }, ...more };
}

function userContent(...content: ContentPart[]) {
  return toMessages([{ role: 'user', content }]).turns[0]?.content;
}

function faultIn(part: ContentPart): GatewayError['body'] {
  try {
    userContent(text('a') as ContentPart, part);
  } catch (error) {
    if (error instanceof GatewayError) return error.body;
  }
  throw new Error('no fault');
}

describe('a conversation', () => {
  it('moves all system messages out of the conversation', () => {
    const { system, turns } = toMessages([
      { role: 'system', content: 'a' },
      user,
      { role: 'developer', content: [{ type: 'text', text: 'b' }] },
    ]);
    expect(system).toEqual([text('a'), text('b')]);
    expect(turns).toEqual([{ role: 'user', content: [text('Hi')] }]);
  });

  it('a conversation of system messages only becomes a user message', () => {
    expect(toMessages([{ role: 'system', content: 'a' }])).toEqual({
      system: [],
      turns: [{ role: 'user', content: [text('a')] }],
    });
  });

  it('merges adjacent messages of one role, and drops empty text', () => {
    const { turns } = toMessages([
      user,
      { role: 'user', content: ' \n' },
      { role: 'assistant', content: '' },
      { role: 'user', content: [{ type: 'text', text: 'there' }] },
    ]);
    expect(turns).toEqual([{ role: 'user', content: [text('Hi'), text('there')] }]);
  });

  it('begins and ends with the user', () => {
    const { turns } = toMessages([{ role: 'assistant', content: 'Hello!' }]);
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('has tool input as objects, and all results of a turn before other content', () => {
    const { turns } = toMessages([
      user,
      { role: 'assistant', content: 'Wait.', tool_calls: [call('a', '{"x":1}'), call('b', ''), call('c', '[bro')] },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      { role: 'user', content: 'And?' },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'one' }] },
      { role: 'tool', tool_call_id: 'c', content: '' },
    ]);
    const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'look_up', input });
    const result = (id: string, words: string) => ({ type: 'tool_result', tool_use_id: id, content: [text(words)] });
    expect(turns.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [text('Wait.'), use('a', { x: 1 }), use('b', {}), use('c', { arguments: '[bro' })],
      },
      {
        role: 'user',
        content: [result('b', 'two'), result('a', 'one'), { type: 'tool_result', tool_use_id: 'c' }, text('And?')],
      },
    ]);
  });

  it('has the results of a turn in their order, also with texts between them', () => {
    const results = (ids: readonly string[]): ChatMessage[] =>
      ids.flatMap((id) => [
        { role: 'tool', tool_call_id: id, content: id },
        { role: 'user', content: `after ${id}` },
      ]);
    const ids = ['a', 'b', 'c'];
    const calls: ChatMessage = { role: 'assistant', tool_calls: ids.map((id) => call(id)) };
    const { turns } = toMessages([user, calls, ...results(ids), calls, ...results(ids)]);
    const places = (content: JsonObject[]) => content.map(({ tool_use_id, text }) => tool_use_id ?? text);
    expect(places(turns[2]?.content ?? [])).toEqual([...ids, 'after a', 'after b', 'after c']);
    expect(places(turns[4]?.content ?? []).slice(3)).toEqual(['after a', 'after b', 'after c']);
  });

  it('takes a time in proportion to its tool results', () => {
    const calls = Array.from({ length: 30_000 }, (_, at) => call(`c${at}`));
    const results = calls.map(({ id }): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'done' }));
    const began = performance.now();
    const { turns } = toMessages([user, { role: 'assistant', tool_calls: calls }, ...results]);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(turns.at(-1)?.content).toHaveLength(30_000);
  });

  it('has valid and unique ids, and each result after its call', () => {
    const round = (id: string): ChatMessage[] => [
      { role: 'assistant', tool_calls: [call(id)] },
      { role: 'tool', tool_call_id: id, content: id },
    ];
    const { turns } = toMessages([user, ...round('call.1|é'), ...round('0'), ...round('0'), ...round('')]);
    const uses = turns.flatMap(({ content }) => content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])));
    const results = turns.flatMap(({ content }) =>
      content.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id] : [])),
    );
    expect(results).toEqual(uses);
    expect(new Set(uses).size).toBe(4);
    for (const id of uses) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it('accepts custom calls, refusals and invalid names', () => {
    const { turns } = toMessages([
      user,
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'a b', arguments: '{"x":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'r' },
      { role: 'assistant', refusal: 'No.' },
      user,
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sh', input: 'ls' } }] },
    ]);
    expect(turns.flatMap(({ content }) => content)).toEqual([
      text('Hi'),
      { type: 'tool_use', id: 'a', name: 'a_b', input: { x: 1 } },
      { type: 'tool_result', tool_use_id: 'a', content: [text('r')] },
      text('No.'),
      text('Hi'),
      { type: 'tool_use', id: 'c', name: 'sh', input: { input: 'ls' } },
      text('Continue.'),
    ]);
  });

  it('returns signed reasoning of tool calls and messages, and drops unsigned reasoning', () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 's1' };
    const redacted = { type: 'redacted_thinking', data: 'd' };
    const stored = [thinking, { type: 'thinking', thinking: 'x' }, redacted, { type: 'text', text: 'y' }, null];
    const carried = call('a', '{}', { extra_content: { anthropic: { thinking_blocks: stored } } });
    const details = [{ type: 'reasoning.text', text: 'Hm', signature: 's1', index: 0 }];
    const blocksOf = (message: ChatMessage) => toMessages([user, message]).turns[1]?.content;
    expect(blocksOf({ role: 'assistant', content: 'Wait.', tool_calls: [carried] })).toMatchObject([
      thinking,
      redacted,
      text('Wait.'),
      { type: 'tool_use' },
    ]);
    expect(
      blocksOf({ role: 'assistant', tool_calls: [call('a')], reasoning_details: details, reasoning_content: 'Hm' }),
    ).toMatchObject([thinking, { type: 'tool_use' }]);
  });
});

describe('user content', () => {
  it('can be text, images with content or a URL, and files', () => {
    const file = (file: FilePart['file']): FilePart => ({ type: 'file', file });
    expect(
      userContent(
        { type: 'image_url', image_url: { url: 'data:image/JPEG;base64,AAAA', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        file({ filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0x' }),
        file({ file_data: 'JVBERi0x' }),
        file({ filename: 'a.csv', file_data: Buffer.from('ä;b').toString('base64') }),
        file({ file_data: 'data:image/png;base64,BBBB' }),
      ),
    ).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' }, title: 'a.pdf' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'ä;b' }, title: 'a.csv' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'BBBB' } },
    ]);
  });

  it.each<[string, ContentPart, string]>([
    [
      'an image of another type',
      { type: 'image_url', image_url: { url: 'data:image/bmp;base64,AA' } },
      '.image_url.url',
    ],
    ['a file by its id', { type: 'file', file: { file_id: 'file-1' } }, '.file.file_id'],
    [
      'a file of another type',
      { type: 'file', file: { file_data: 'data:application/zip;base64,AA' } },
      '.file.file_data',
    ],
    ['a file of an unknown type', { type: 'file', file: { file_data: 'UEsD', filename: 'a.zip' } }, '.file.file_data'],
    ['sound', { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }, ''],
  ])('cannot be %s: the error names the field', (_what, part, field) => {
    expect(faultIn(part)).toMatchObject({ code: 'unsupported_value', param: `messages[0].content[1]${field}` });
  });
});
