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
const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } };

describe("the estimate of a prompt's tokens", () => {
  it("is the text plus the format's overhead", async () => {
    expect(await count({ messages: [user('Hello world')] })).toBe(2 + 3 + 3);
  });

  it('counts every message', async () => {
    const one = await count({ messages: [user('Hello world')] });
    const two = await count({ messages: [user('Hello world'), { role: 'assistant', content: 'Hello' }] });
    expect(two - one).toBeGreaterThanOrEqual(4);
  });

  it('counts text parts, and images by size instead of base64', async () => {
    const parts = [{ type: 'text' as const, text: 'Hello world' }, image];
    expect(await count({ messages: [{ role: 'user', content: parts }] })).toBe(2 + 765 + 6);
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
