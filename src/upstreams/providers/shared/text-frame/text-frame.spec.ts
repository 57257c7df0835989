import { describe, expect, it } from '@jest/globals';
import type { ChatCompletionChunk } from '../../../contract/chat.types.js';
import { jsonOf } from '../../../contract/chunk.reader.js';
import { TextFrame } from './text-frame.js';

const CHUNK: ChatCompletionChunk = {
  id: 'chatcmpl-ours',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'public',
  system_fingerprint: 'fp',
  choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }],
};

const dataOf = (content: string, more = '', model = 'm') =>
  `{"id":"up","model":"${model}","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]${more}}`;
const textIn = (body: unknown) => (body as { choices: { delta: { content: unknown } }[] }).choices[0]?.delta.content;
const frameOf = (data: string, chunk = CHUNK) => TextFrame.of({ event: '', data }, chunk, textIn);
const withText = (content: string) => ({ ...CHUNK, choices: [{ index: 0, delta: { content }, finish_reason: null }] });

describe('the frame of text-only events', () => {
  it.each([
    ' there',
    '世界',
    '🙂',
    'a text with more than twelve characters',
    '\n',
    'say "so"',
    '\\',
    '"\\"',
    'a\tb\u0000c',
    '\ud83d',
    '\u007f\u0085\u2028',
    'a text with a "quote" that is longer than a dozen letters',
  ])('returns the same chunk for %j as parsing', (text) => {
    const chunk = frameOf(dataOf('Hello'))?.read({ event: '', data: dataOf(text) });
    expect(chunk).toEqual(withText(text));
    expect(jsonOf(chunk)).toBe(JSON.stringify(withText(text)));
  });

  it.each([
    ['no text', dataOf('')],
    ['an invalid escape', dataOf('a?b').replace('?', '\\x')],
    ['a truncated escape', dataOf('a?').replace('?', '\\')],
    ['half of an escape', dataOf('a?').replace('?', '\\u00')],
    ['a line end in its text', dataOf('a?b').replace('?', '\n')],
    ['a line end after an escape', dataOf('a?b').replace('?', '\\n\n')],
    ['a text that does not end', dataOf('a').slice(0, dataOf('a').indexOf('a"') + 1)],
    ['an escape at its end', `${dataOf('a').slice(0, dataOf('a').indexOf('a"') + 1)}\\`],
    ['an invalid character', '{"id":"up","model":"m","choices":[{"index":0,"delta":{"content":"\t"}}]}'],
    ['another field', dataOf('a', ',"usage":{}')],
    ['another value next to the text', dataOf('a', '', 'n')],
    ['a missing end', dataOf('a').slice(0, -1)],
    ['something after its end', `${dataOf('a')}x`],
    ['a second field in the choice', dataOf('a').replace('"}}', '","refusal":"b"}}')],
    ['nothing', ''],
  ])('does not match an event with %s', (_what, data) => {
    expect(frameOf(dataOf('Hello'))?.read({ event: '', data })).toBeUndefined();
  });

  it('does not match an event with another name', () => {
    expect(frameOf(dataOf('Hello'))?.read({ event: 'error', data: dataOf('a') })).toBeUndefined();
  });

  it('finds the text even if it also occurs elsewhere', () => {
    const data = (text: string) => dataOf(text, ',"system":"Hello"', 'Hello');
    const chunk = frameOf(data('Hello'))?.read({ event: '', data: data('a') });
    expect(chunk).toEqual(withText('a'));
  });

  it.each([':', 'content', '}}]}'])('is learned from an event with the text %j', (text) => {
    const chunk = frameOf(dataOf(text), withText(text))?.read({ event: '', data: dataOf('a') });
    expect(chunk).toEqual(withText('a'));
  });

  it('accepts any padding, but nothing else at its position', () => {
    const frame = frameOf(dataOf('Hello', ',"obfuscation":"hT5aZ"'));
    const read = (more: string) => frame?.read({ event: '', data: dataOf('a', more) });
    expect(read(',"obfuscation":"x"')).toEqual(withText('a'));
    expect(read(',"obfuscation":""')).toEqual(withText('a'));
    expect(read(',"obfuscation":"x","usage":{}')).toBeUndefined();
    expect(read(',"obfuscation":"x"')?.obfuscation).toBeUndefined();
    expect(read('')).toBeUndefined();
  });

  it.each(['', 'a\nb', 'say "so"'])('is not learned from an event with %j', (text) => {
    expect(frameOf(dataOf(text), withText(text))).toBeUndefined();
  });

  it('is not learned if the chunk contains the placeholder', () => {
    expect(frameOf(dataOf('Hello'), { ...CHUNK, model: '[[the text goes here]]' })).toBeUndefined();
  });

  it('allows a copy of its chunk to be changed', () => {
    const chunk = frameOf(dataOf('Hello'))?.read({ event: '', data: dataOf('a') });
    expect(JSON.parse(jsonOf({ ...chunk, model: 'other' }))).toEqual({ ...withText('a'), model: 'other' });
  });
});
