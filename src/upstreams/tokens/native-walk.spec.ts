import { describe, expect, it } from '@jest/globals';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { withNativeForm } from './native-walk.js';
import { promptCeiling } from './prompt-ceiling.js';
import { countPromptTokens, roughPromptTokens } from './prompt-tokens.js';

const LONG = 'lorem ipsum '.repeat(5000);
const chat: ChatCompletionRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const PICTURE = 'iVBORw0KGgo'.repeat(20_000);

const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const assistant = (...content: object[]) => ({ messages: [{ role: 'assistant', content }] });
const tool = (fields: object) => ({ tools: [{ name: 'f', input_schema: { type: 'object' }, ...fields }] });
const item = (fields: object) => ({ input: [fields] });
const source = (type: string, fields: object) => user({ type, source: fields });

const native = (fields: Record<string, unknown>, form = chat) => withNativeForm(form, { api: 'messages', fields });

/** Characters per token, so that the test does not depend on a tokenizer. */
const counter = { count: async (text: string) => Math.ceil(text.length / 4) };

function counts(fields: object) {
  const charged = native(fields as Record<string, unknown>);
  return { ceiling: promptCeiling(charged, 0).tokens, rough: roughPromptTokens(charged), charged };
}

describe('a long text in a native request counts', () => {
  it.each<[string, object]>([
    ['an unknown field of a request', { unknown_field: LONG }],
    ['the system prompt', { system: [{ type: 'text', text: 'Hi', unknown_field: LONG }] }],
    ["a tool's examples", tool({ input_examples: [{ a: LONG }] })],
    ["a tool's unknown field", tool({ unknown_field: { deep: [LONG] } })],
    ['a name', { unknown_field: { [LONG]: 1 } }],
    ["a block's unknown field", user({ type: 'text', text: 'Hi', unknown_field: LONG })],
    ['thinking', assistant({ type: 'thinking', thinking: LONG, signature: 's' })],
    ['a signature', assistant({ type: 'thinking', thinking: '', signature: LONG })],
    ['redacted thinking', assistant({ type: 'redacted_thinking', data: LONG })],
    ['a citation', assistant({ type: 'text', text: 'Hi', citations: [{ cited_text: LONG }] })],
    ['a tool result', user({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: LONG }] })],
    ["an image's unknown field", source('image', { type: 'base64', media_type: 'image/png', data: 'a', x: LONG })],
    ["a document's title", user({ type: 'document', title: LONG, source: { type: 'base64', data: 'a' } })],
    ["a document's text", source('document', { type: 'text', media_type: 'text/plain', data: LONG })],
    ["a document's content", source('document', { type: 'content', content: [{ type: 'text', text: LONG }] })],
    ['a source of an unknown type', source('document', { type: 'new', data: LONG })],
    [
      'an image in a schema',
      { tools: [{ name: 'f', input_schema: { type: 'image', source: { type: 'base64', data: LONG } } }] },
    ],
    ['instructions', { instructions: LONG }],
    ['reasoning', item({ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: LONG }] })],
    ['encrypted reasoning', item({ type: 'reasoning', encrypted_content: LONG })],
    ['tools that a search found', item({ type: 'tool_search_output', tools: [{ name: 'f', description: LONG }] })],
    [
      'an annotation',
      item({ role: 'assistant', content: [{ type: 'output_text', text: '', annotations: [{ title: LONG }] }] }),
    ],
    ["a call's arguments", item({ type: 'function_call', name: 'f', call_id: 'a', arguments: LONG })],
    [
      "a call's output",
      item({ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: LONG }] }),
    ],
    ['an item of an unknown type', item({ type: 'telepathy', thought: LONG })],
    ["an image's text", item({ role: 'user', content: [{ type: 'input_image', image_url: LONG }] })],
    ["a file's text", item({ role: 'user', content: [{ type: 'input_file', filename: 'a.txt', file_data: LONG }] })],
  ])('%s', async (_what, fields) => {
    const { ceiling, rough, charged } = counts(fields);
    expect(ceiling).toBeGreaterThan(LONG.length);
    expect(rough).toBeGreaterThan(LONG.length / 5);
    expect(await countPromptTokens(charged, counter)).toBeGreaterThan(LONG.length / 5);
  });
});

describe('media in a native request count as media', () => {
  it.each<[string, object]>([
    ['an image of the Messages API', source('image', { type: 'base64', media_type: 'image/png', data: PICTURE })],
    [
      'an image in a tool result',
      user({ type: 'tool_result', content: [{ type: 'image', source: { type: 'base64', data: PICTURE } }] }),
    ],
    [
      'an image of the Responses API',
      item({ content: [{ type: 'input_image', image_url: `data:image/png;base64,${PICTURE}` }] }),
    ],
    [
      "a tool's output",
      item({
        type: 'function_call_output',
        output: [{ type: 'input_image', image_url: `data:image/png;base64,${PICTURE}` }],
      }),
    ],
    [
      'a screenshot',
      item({
        type: 'computer_call_output',
        output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${PICTURE}` },
      }),
    ],
    ['a picture that the model made', item({ type: 'image_generation_call', result: PICTURE })],
  ])('%s', (_what, fields) => {
    expect(counts(fields).ceiling).toBeLessThan(6000);
    expect(counts(fields).ceiling).toBeGreaterThan(5000);
  });

  it.each<[string, object]>([
    ['sound', item({ content: [{ type: 'input_audio', input_audio: { data: PICTURE, format: 'mp3' } }] })],
  ])('%s by their size', (_what, fields) => {
    expect(counts(fields).ceiling).toBeGreaterThan(PICTURE.length / 4);
    expect(counts(fields).ceiling).toBeLessThan(PICTURE.length / 3);
  });

  it.each<[string, object]>([
    ['a stored file', source('document', { type: 'file', file_id: 'file_1' })],
    ['a document at a URL', source('document', { type: 'url', url: 'https://a.example/a.pdf' })],
    [
      'a file that is a PDF of unknown length',
      item({ content: [{ type: 'input_file', file_url: null, file_data: 'JVBERi0' }] }),
    ],
    ['a file at a URL', item({ content: [{ type: 'input_file', file_url: 'https://a.example/a.pdf' }] })],
    ['a part of another type with a stored file', item({ content: [{ type: 'container_upload', file_id: 'file_1' }] })],
    ['a video at a URL', source('video', { type: 'url', url: 'https://a.example/a.mp4' })],
    ['a video in a field of its own', user({ type: 'input_video', video_url: 'https://a.example/a.mp4' })],
    ['the same in an object', user({ type: 'video_url', video_url: { url: 'https://a.example/a.mp4' } })],
    ["a provider's file", item({ content: [{ type: 'input_file', file_id: 'file-1' }] })],
  ])('%s, which nobody sees, as the whole context', (_what, fields) => {
    const charged = native(fields as Record<string, unknown>);
    expect(promptCeiling(charged, 128_000).tokens).toBe(128_000);
  });
});

it('counts the translated form if that is larger, and if the forms only name fields differently', async () => {
  const long = { ...chat, messages: [{ role: 'user' as const, content: LONG }] };
  expect(promptCeiling(native({}, long), 0)).toEqual(promptCeiling(long, 0));
  const fields = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: LONG }], system: '' };
  expect(await countPromptTokens(native(fields, long), counter)).toBe(await countPromptTokens(long, counter));
});

it('counts what only the native form says, also beside many characters of few tokens', async () => {
  const withoutSpaces = { count: async (text: string) => text.replaceAll(' ', '').length };
  const messages = [{ role: 'user' as const, content: ' '.repeat(100_000) }];
  const tools = [{ name: 'f', input_schema: {}, input_examples: [{ text: 'a'.repeat(20_000) }] }];
  const charged = native({ model: 'm', max_tokens: 9, messages, tools }, { ...chat, messages });
  expect(await countPromptTokens(charged, withoutSpaces)).toBeGreaterThan(20_000);
});
