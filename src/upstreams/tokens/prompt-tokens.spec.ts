import { afterAll, describe, expect, it } from '@jest/globals';
import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { countPromptTokens, roughPromptTokens } from './prompt-tokens.js';
import { TokenCounter } from './token-counter.js';

const counter = new TokenCounter();
afterAll(() => counter.onApplicationShutdown());

function count(request: Partial<ChatCompletionRequest>): Promise<number> {
  return countPromptTokens({ model: 'm', messages: [], ...request }, counter);
}

const user = (content: string) => ({ role: 'user' as const, content });
/** A square PNG file. */
function imageOf(side: number) {
  const head = Buffer.alloc(75_000);
  head.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 0, 'latin1');
  head.writeUInt32BE(side, 16);
  head.writeUInt32BE(side, 20);
  return { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${head.toString('base64')}` } };
}

const image = imageOf(757);

describe("the estimate of a prompt's tokens", () => {
  it("is the text plus the format's overhead", async () => {
    expect(await count({ messages: [user('Hello world')] })).toBe(2 + 3 + 3);
  });

  it('counts every message', async () => {
    const one = await count({ messages: [user('Hello world')] });
    const two = await count({ messages: [user('Hello world'), { role: 'assistant', content: 'Hello' }] });
    expect(two - one).toBeGreaterThanOrEqual(4);
  });

  it('counts text parts, and images by pixels instead of base64', async () => {
    const parts = [{ type: 'text' as const, text: 'Hello world' }, image];
    expect(await count({ messages: [{ role: 'user', content: parts }] })).toBe(2 + 765 + 6);
  });

  it.each([
    ['small', imageOf(10), {}, 85],
    ['large', imageOf(4000), {}, 1600],
    ['large', imageOf(4000), { detail: 'low' }, 1600],
    ['large', imageOf(4000), { detail: 'original' }, 5000],
    ['unknown', { type: 'image_url' as const, image_url: { url: 'data:image/avif;base64,AAAA' } }, {}, 1600],
    ['distant', { type: 'image_url' as const, image_url: { url: '' } }, { url: 'https://a.example/a.png' }, 1606],
  ])('counts a %s image by its pixels', async (_, { type, image_url }, more, tokens) => {
    const content = [{ type, image_url: { ...image_url, ...more } }];
    expect(await count({ messages: [{ role: 'user', content }] } as Partial<ChatCompletionRequest>)).toBe(tokens + 6);
  });

  it('counts uncompressed sound by the format that its header states, not by the rate', async () => {
    const head = Buffer.alloc(44);
    head.write('RIFF', 0, 'latin1');
    head.write('WAVEfmt ', 8, 'latin1');
    const tokensOf = (format: number, stated: number) => {
      for (const [at, value] of [
        [20, format],
        [22, 1],
        [34, 16],
      ] as const)
        head.writeUInt16LE(value, at);
      head.writeUInt32LE(16_000, 24);
      head.writeUInt32LE(stated, 28);
      const data = Buffer.concat([head, Buffer.alloc(10 * 32_000)]).toString('base64');
      const content = [{ type: 'input_audio' as const, input_audio: { data, format: 'wav' as const } }];
      return count({ messages: [{ role: 'user', content }] });
    };
    expect(await tokensOf(1, 32_000)).toBeLessThan(10 * 32 + 10);
    expect(await tokensOf(1, 1_536_000)).toBe(await tokensOf(1, 32_000));
    expect(await tokensOf(85, 1_536_000)).toBeGreaterThan(80 * 32);
  });

  it('counts tools, legacy functions and earlier tool calls', async () => {
    const none = await count({ messages: [user('Hi')] });
    const definition = { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } };
    const history = {
      role: 'assistant' as const,
      tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'f', arguments: '{"a":1}' } }],
    };
    const more = [
      { messages: [user('Hi')], tools: [{ type: 'function' as const, function: definition }] },
      { messages: [user('Hi')], functions: [definition] },
      { messages: [user('Hi'), history] },
    ];
    for (const request of more) expect(await count(request)).toBeGreaterThan(none + 10);
  });

  it('counts fields of messages that have the names of options', async () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
    for (const fields of [
      { function_call: { name: 'f', arguments: text } },
      { content: [{ type: 'text', text: '', filename: text }] },
      { metadata: text, user: '' },
    ]) {
      const request = { messages: [{ role: 'assistant', content: null, ...fields }] } as Partial<ChatCompletionRequest>;
      expect(await count(request)).toBeGreaterThan(900);
      expect(roughPromptTokens({ model: 'm', messages: [], ...request })).toBeGreaterThan(900);
    }
  });

  it('counts numbers and empty lists in tools, but not those that are options', async () => {
    const withEnum = (values: unknown[]) => {
      const parameters = { type: 'object', properties: { a: { enum: values } } };
      return { messages: [user('Hi')], tools: [{ type: 'function' as const, function: { name: 'f', parameters } }] };
    };
    const none = await count(withEnum([1]));
    const tokensOf = (values: unknown[]) => count(withEnum(values)).then((tokens) => tokens - none);
    expect(await tokensOf(Array(1000).fill(123_456_789_012))).toBeGreaterThan(5000);
    expect(await tokensOf(Array(1000).fill([]))).toBeGreaterThan(900);
    expect(await tokensOf([1e300])).toBeGreaterThan(100);
    expect(await tokensOf([JSON.parse('7'.repeat(4000))])).toBeGreaterThan(2000);
    const rough = roughPromptTokens({ model: 'm', ...withEnum(Array(1000).fill(123_456_789_012)) });
    expect(rough).toBeGreaterThan(2500);
    const options = { temperature: 0.123456, max_tokens: 1000, stream: true };
    expect(await count({ messages: [user('Hello world')], ...options })).toBe(2 + 3 + 3);
  });

  it("counts the text of a PDF's pages, which may be much for their number", async () => {
    const pdf = (content: string) => {
      const data = `4 0 obj\n<< >>\nstream\n${content}\nendstream\nendobj\n`;
      const file = `%PDF-1.7\n2 0 obj << /Kids [3 0 R] >> endobj\n3 0 obj << /Type /Page /Contents 4 0 R >> endobj\n${data}`;
      const part = { type: 'file' as const, file: { file_data: Buffer.from(file, 'latin1').toString('base64') } };
      return { model: 'm', messages: [{ role: 'user' as const, content: [part] }] };
    };
    const text = `(${'Hello world '.repeat(10_000)}) Tj`;
    expect(await count(pdf(text))).toBeGreaterThan(20_000);
    expect(await countPromptTokens(pdf(text), counter, 30_000)).toBeLessThan(30_100);
    expect(await count(pdf('1 0 m 1 1 l '.repeat(10_000)))).toBeLessThan(12_000);
  });

  it('accepts messages without content', async () => {
    expect(await count({ messages: [{ role: 'assistant', content: null }, { role: 'assistant' }] })).toBeGreaterThan(0);
  });
});

describe('the rough estimate of a prompt’s tokens', () => {
  const history = {
    role: 'assistant' as const,
    content: null,
    tool_calls: [{ id: 'a', type: 'function' as const, function: { name: 'weather', arguments: '{"city":"Berlin"}' } }],
  };
  const tool = {
    type: 'function' as const,
    function: { name: 'weather', description: 'Tells the weather of a city.' },
  };

  it.each<[string, Partial<ChatCompletionRequest>]>([
    ['a text', { messages: [user('The quick brown fox jumps over the lazy dog. '.repeat(50))] }],
    ['parts and an image', { messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] }] }],
    ['tools and their calls', { messages: [user('And tomorrow?'), history], tools: [tool] }],
  ])('is close to the count for %s', async (_, request) => {
    const rough = roughPromptTokens({ model: 'm', messages: [], ...request });
    const counted = await count(request);
    expect(rough).toBeGreaterThan(counted * 0.6);
    expect(rough).toBeLessThan(counted * 1.5);
  });
});
