import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { withNativeForm } from './native-walk.js';
import { promptCeiling } from './prompt-ceiling.js';

const CONTEXT = 400_000;
const SECRET = 'the quick brown fox 世界 👩‍👩‍👧 '.repeat(2000);
const BYTES = Buffer.byteLength(SECRET);

function ceilingOf(request: object): number {
  const whole = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...request };
  return promptCeiling(whole as ChatCompletionRequest, CONTEXT).tokens;
}

function pdfOf(pages: number, more = ''): string {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 10} 0 R`).join(' ');
  return Buffer.from(`%PDF-1.7\n2 0 obj << /Type /Pages /Kids [${kids}] >>\n${more}`, 'latin1').toString('base64');
}

const withContent = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const jsonSchema = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
});

describe('the upper bound of a prompt counts every byte of text', () => {
  it.each<[string, object]>([
    ['on a message with a key image_url', { messages: [{ role: 'user', content: SECRET, image_url: {} }] }],
    ['in a text part with a key image_url', withContent({ type: 'text', text: SECRET, image_url: { url: 'x' } })],
    ['in a text part with a key input_audio', withContent({ type: 'text', text: SECRET, input_audio: {} })],
    [
      'beside an image',
      withContent({ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' }, text: SECRET }),
    ],
    ['within an image', withContent({ type: 'image_url', image_url: { url: 'data:image/png;base64,AA', x: SECRET } })],
    ['instead of an image', withContent({ type: 'image_url', image_url: { url: SECRET } })],
    ['within sound', withContent({ type: 'input_audio', input_audio: { data: 'AA', format: SECRET } })],
    ['in the name of a file', withContent({ type: 'file', file: { file_data: 'AA', filename: SECRET } })],
    [
      'in a tool with a property image_url',
      { tools: [{ type: 'function', function: { name: 'f', description: SECRET, parameters: { image_url: {} } } }] },
    ],
    [
      'in a tool whose schema looks like an image',
      { tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'image_url', image_url: SECRET } } }] },
    ],
    ['in a schema’s names', jsonSchema({ properties: { [SECRET]: { type: 'string' } } })],
    ['in an unknown field', { documents: [{ data: { text: SECRET } }] }],
    ['in an unknown part', withContent({ type: 'video', video: { transcript: SECRET } })],
    ['in a prediction', { prediction: { type: 'content', content: SECRET } }],
    ['in a stop sequence and a user', { stop: [SECRET.slice(0, 10)], user: SECRET }],
    [
      'in the arguments of an earlier call',
      { messages: [{ role: 'assistant', tool_calls: [{ function: { arguments: SECRET } }] }] },
    ],
    ['as a text file', withContent({ type: 'file', file: { file_data: `data:text/plain;base64,${SECRET}` } })],
  ])('%s', (_where, request) => {
    expect(ceilingOf(request)).toBeGreaterThanOrEqual(BYTES);
  });
});

it.each([
  [{ cache_control: { type: 'ephemeral' } }, '5m'],
  [{ cache_control: { type: 'ephemeral', ttl: '1h' } }, '1h'],
  [{ prompt_cache_breakpoint: { mode: 'explicit' } }, '5m'],
  [{}, null],
])('expects cache writes for the mark %j: %s', (mark, lifetime) => {
  const request = { model: 'm', ...withContent({ type: 'text', text: 'Hi', ...mark }) };
  expect(promptCeiling(request as ChatCompletionRequest, CONTEXT).cacheWrites).toBe(lifetime);
});

const DENSE = pdfOf(
  1,
  `10 0 obj << /Type /Page /Contents 9 0 R >> endobj
9 0 obj << /Filter /FlateDecode >> stream\n${deflateSync('text '.repeat(80_000)).toString('latin1')}\nendstream endobj\n`,
);

const LIGATURES = pdfOf(
  1,
  `10 0 obj << /Type /Page /Contents 9 0 R >> endobj
9 0 obj << >> stream\n${'A'.repeat(2000)}\nendstream endobj
5 0 obj << /Type /Font /ToUnicode 6 0 R >> endobj
6 0 obj << >> stream\n1 beginbfchar <41> <${'0041'.repeat(200)}> endbfchar\nendstream endobj\n`,
);

describe('media', () => {
  /** The head of a document of Office. */
  const ZIP = Buffer.from('PK\x03\x04\x14\x00\x00\x00\x08\x00', 'latin1').toString('base64');
  const base64 = 'A'.repeat(400_000);

  it.each<[string, object, number]>([
    ['an image', { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }, 5000],
    ['an image URL', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }, 5000],
    ['sound', { type: 'input_audio', input_audio: { data: base64, format: 'wav' } }, 105_000],
    ['sound by its URL', { type: 'audio_url', audio_url: { url: `data:audio/mp3;base64,${base64}` } }, 105_000],
    ['a document', { type: 'file', file: { file_data: `data:application/pdf;base64,${pdfOf(30)}` } }, 150_000],
    ['a document without a type', { type: 'file', file: { filename: 'a.pdf', file_data: pdfOf(30) } }, 150_000],
    ['a document by the name of a text', { type: 'file', file: { filename: 'a.py', file_data: pdfOf(30) } }, 150_000],
    [
      'a document by the type of a text',
      { type: 'file', file: { file_data: `data:text/plain;base64,${pdfOf(30)}` } },
      150_000,
    ],
    ['a document as sound', { type: 'input_audio', input_audio: { data: pdfOf(30), format: 'wav' } }, 155_000],
    ['a document with one page of dense text', { type: 'file', file: { file_data: DENSE } }, 100_000],
    ['a document whose font writes a text for each letter', { type: 'file', file: { file_data: LIGATURES } }, 100_000],
    ['a large document', { type: 'file', file: { file_data: pdfOf(2, 'x'.repeat(300_000)) } }, 100_000],
  ])('are counted by size: %s', (_what, part, tokens) => {
    const added = ceilingOf(withContent(part));
    expect(added).toBeGreaterThanOrEqual(tokens);
    expect(added).toBeLessThan(tokens + 1500);
  });

  it('are counted by size in an earlier answer', () => {
    const images = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }];
    const added = ceilingOf({ messages: [{ role: 'assistant', content: 'Here.', images }] });
    expect(added).toBeGreaterThanOrEqual(5000);
    expect(added).toBeLessThan(5300);
  });

  it.each<[string, object]>([
    ['the id of a file', { type: 'file', file: { file_id: 'file-1' } }],
    ['the URL of a file', { type: 'file', file: { file_data: 'https://example.com/a.pdf' } }],
    ['the URL of a video', { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }],
    ['the URL of a document', { type: 'document_url', document_url: 'https://example.com/a.pdf' }],
    ['a document whose pages cannot be counted', { type: 'file', file: { filename: 'a.pdf', file_data: base64 } }],
    ['a video', { type: 'video_url', video_url: { url: `data:video/mp4;base64,${base64}` } }],
    ['a compressed file named as text', { type: 'file', file: { file_data: `data:text/plain;base64,${ZIP}` } }],
    ['a compressed file with the name of a text', { type: 'file', file: { filename: 'a.txt', file_data: ZIP } }],
    ['a video named as text', { type: 'video_url', video_url: { url: `data:text/plain;base64,${base64}` } }],
    ['a video named as sound', { type: 'video_url', video_url: { url: `data:audio/mp3;base64,${base64}` } }],
    ['a video in a text part', { type: 'text', text: 'a', uuid: 'b', video_url: { url: 'https://example.com/a' } }],
    ['an archive', { type: 'file', file: { filename: 'a.zip', file_data: base64 } }],
    ['an unknown part with a URL', { type: 'document', source: { type: 'url', url: 'gs://bucket/a.pdf' } }],
  ])('media that the gateway cannot see are counted as the whole context: %s', (_what, part) => {
    expect(ceilingOf(withContent(part))).toBe(CONTEXT);
  });

  it('tools of the provider’s own types count what the provider writes about them', () => {
    const tools = [{ type: 'computer_20251124' }, { type: 'browser_toolset_20260801' }, { type: 'function' }];
    const request = { model: 'm', messages: [] };
    const fields = { tools: [...tools, { name: 'f', input_schema: {} }] };
    const natively = withNativeForm(request, { api: 'messages', fields });
    const without = withNativeForm(request, { api: 'messages', fields: {} });
    const added = promptCeiling(natively, CONTEXT).tokens - promptCeiling(without, CONTEXT).tokens;
    expect(added).toBeGreaterThan(10_000);
    expect(added).toBeLessThan(10_500);
    expect(ceilingOf({ tools: [{ type: 'web_search' }] })).toBeGreaterThan(2700);
  });

  it('images whose size the request sets are counted as the whole context', () => {
    expect(ceilingOf({ mm_processor_kwargs: { min_pixels: 10_000_000 } })).toBe(CONTEXT);
    const image_url = { url: 'data:image/png;base64,AA' };
    const within = { type: 'image_url', image_url: { ...image_url, max_dynamic_patch: 100 } };
    const beside = { type: 'image_url', image_url, max_pixels: 16_000_000 };
    for (const part of [within, beside]) expect(ceilingOf(withContent(part))).toBe(CONTEXT);
  });

  it('media of an earlier answer that the provider stores are counted as the whole context', () => {
    expect(ceilingOf({ messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] })).toBe(CONTEXT);
  });
});

describe('the upper bound of any prompt', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const request = fc.record({
    messages: fc.array(
      fc.record({
        role: fc.constantFrom('user', 'assistant', 'tool'),
        content: fc.oneof(fc.string(), fc.array(fc.oneof(json, part()))),
      }),
      { maxLength: 4 },
    ),
    tools: fc.array(json, { maxLength: 2 }),
    extra: json,
  });

  function part() {
    const type = fc.constantFrom('text', 'image_url', 'input_audio', 'file', 'video_url', 'other');
    return fc.record(
      { type, text: fc.string(), image_url: json, input_audio: json, file: json },
      { requiredKeys: ['type'] },
    );
  }

  it('counts numbers with all of their digits, and lists without entries', () => {
    const ceiling = (values: unknown[]) => ceilingOf({ messages: [], response_format: { schema: { enum: values } } });
    const none = ceiling([1]);
    expect(ceiling([1, JSON.parse('7'.repeat(300))]) - none).toBeGreaterThanOrEqual(300);
    expect(ceiling([1, JSON.parse('7'.repeat(4000))]) - none).toBeGreaterThanOrEqual(4000);
    expect(ceiling([1, ...Array(1000).fill([])]) - none).toBeGreaterThanOrEqual(3000);
  });

  it('never decreases when content is added', () => {
    fc.assert(
      fc.property(request, fc.string(), json, part(), (one, name, value, content) => {
        const before = ceilingOf(one);
        if (!(name in one)) expect(ceilingOf({ ...one, [name]: value })).toBeGreaterThanOrEqual(before);
        const more = { role: 'user', content: [content] };
        expect(ceilingOf({ ...one, messages: [...one.messages, more] })).toBeGreaterThanOrEqual(before);
        for (const [index, message] of one.messages.entries()) {
          const changed = one.messages.with(index, {
            ...message,
            [name]: value,
            role: message.role,
            content: message.content,
          });
          expect(ceilingOf({ ...one, messages: changed })).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });

  it("is never below a tokenizer's count of its text", () => {
    fc.assert(
      fc.property(request, fc.string({ unit: 'grapheme', maxLength: 300 }), (one, text) => {
        const whole = {
          ...one,
          messages: [...one.messages, { role: 'user', content: [{ type: 'text', text, image_url: {} }] }],
        };
        const texts = [
          text,
          ...textsOf(one.messages.map(({ content }) => content)),
          ...textsOf(one.tools),
          ...textsOf(one.extra),
        ];
        const tokens = texts.reduce(
          (sum, each) => sum + countTokens(each, { disallowedSpecial: new Set<string>() }),
          0,
        );
        expect(ceilingOf(whole)).toBeGreaterThanOrEqual(tokens);
      }),
    );
  });
});

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [name]), ...textsOf(inner)]);
}
