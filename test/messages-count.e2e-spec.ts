import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChatTest } from './support/chat-test.js';

const question = { model: 'llama-3.3-70b', messages: [{ role: 'user' as const, content: 'Say hello to the world.' }] };

let chat: ChatTest;
let client: Anthropic;
beforeAll(async () => {
  chat = await ChatTest.start();
  client = new Anthropic({ baseURL: chat.gateway.url, apiKey: chat.pro.key.key, maxRetries: 0 });
});
afterAll(() => chat?.stop());

describe('count_tokens', () => {
  it('estimates where the provider does not count, without a call and without a row', async () => {
    const { data, response } = await client.messages.countTokens(question).withResponse();
    expect(data.input_tokens).toBeGreaterThan(5);
    expect(data.input_tokens).toBeLessThan(30);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    const longer = await client.messages.countTokens({ ...question, system: 'Be kind. '.repeat(100) });
    expect(longer.input_tokens).toBeGreaterThan(data.input_tokens + 200);
    expect(chat.upstream.requests).toHaveLength(0);
    expect(await chat.gateway.calls()).toEqual([]);
  });

  it('takes a request of the rate', async () => {
    const user = await chat.gateway.createUser({ plan: 'pro', limits: { requestsPerMinute: 2 } });
    const limited = new Anthropic({ baseURL: chat.gateway.url, apiKey: user.key.key, maxRetries: 0 });
    await limited.messages.countTokens(question);
    await limited.messages.countTokens(question);
    await expect(limited.messages.countTokens(question)).rejects.toMatchObject({
      status: 429,
      type: 'rate_limit_error',
    });
  });

  it('names invalid fields and unknown models', async () => {
    await expect(client.messages.countTokens({ ...question, messages: [] })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    });
    await expect(client.messages.countTokens({ ...question, model: 'none' })).rejects.toMatchObject({
      status: 404,
      type: 'not_found_error',
    });
  });
});
