import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { chunkOf, completion, refusal } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { pause, reset, sse } from './support/script.js';

const question = {
  model: 'gpt-oss-20b',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Say hello.' }],
};

const chat = await ChatTest.start({
  settings: 'stream: { commitAfter: 100ms, heartbeat: 50ms }\nretry: { attempts: 1 }',
});
const client = new Anthropic({ baseURL: chat.gateway.url, apiKey: chat.pro.key.key, maxRetries: 0 });

describe('errors in the Messages format', () => {
  async function errorOf(fields: object, from = client): Promise<APIError> {
    try {
      await from.messages.create({ ...question, ...fields } as never);
    } catch (error) {
      if (error instanceof APIError) return error;
      throw error;
    }
    throw new Error('There was no error.');
  }

  it.each<[string, number, string, object, (() => void) | null]>([
    ['an invalid field', 400, 'invalid_request_error', { max_tokens: -1 }, null],
    ['an unknown model', 404, 'not_found_error', { model: 'none' }, null],
    ['a rate limit', 429, 'rate_limit_error', {}, () => chat.upstream.enqueue(refusal(429))],
    ['a failed upstream', 502, 'api_error', {}, () => chat.upstream.enqueue(refusal(500))],
    ['an overloaded upstream', 529, 'overloaded_error', {}, () => chat.upstream.enqueue(refusal(503))],
    ['a slow upstream', 504, 'timeout_error', {}, () => chat.upstream.enqueue(refusal(504))],
  ])('%s is %i %s', async (_what, status, type, fields, script) => {
    script?.();
    const error = await errorOf(fields);
    expect({ status: error.status, type: error.type }).toEqual({ status, type });
    expect(error.error).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: error.requestID,
    });
    expect(error.requestID).toBe(error.headers?.get('x-request-id'));
    expect(error.requestID).toMatch(/^req_/);
  });

  it('about unsupported features name the path of the client', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', source },
    ];
    const error = await errorOf({ system: 'Be kind.', messages: [{ role: 'user', content }] });
    expect(error.status).toBe(400);
    expect(error.apiMessage).toMatch(/^messages\[0\]\.content\[1\]: .*does not accept image input/);
  });

  it('a wrong key is a 401 authentication_error, before the body is read', async () => {
    const error = await errorOf({}, new Anthropic({ baseURL: chat.gateway.url, apiKey: 'svc_wrong', maxRetries: 0 }));
    expect({ status: error.status, type: error.type }).toEqual({ status: 401, type: 'authentication_error' });
  });

  it('a missing anthropic-version is a 400 that names it', async () => {
    const response = await fetch(`${chat.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { ...chat.pro.headers, 'content-type': 'application/json' },
      body: JSON.stringify(question),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });

  it('errors in the Messages format within a stream is an event', async () => {
    chat.upstream.enqueue(sse([chunkOf({ role: 'assistant', content: 'Hel' }), pause(50), reset()], { done: false }));
    const reading = client.messages.stream(question).finalMessage();
    await expect(reading).rejects.toMatchObject({ error: { type: 'error', error: { type: 'api_error' } } });
  });
});

it('ignored parameters are named as the client wrote them', async () => {
  chat.upstream.enqueue(completion('Hello!'));
  const requested = {
    ...question,
    model: 'mistral-small-4',
    top_k: 5,
    metadata: { user_id: 'u1' },
    service_tier: 'auto' as const,
  };
  const { response } = await client.messages.create(requested).withResponse();
  expect(response.headers.get('x-gateway-ignored-parameters')?.split(', ').sort()).toEqual([
    'metadata.user_id',
    'service_tier',
    'top_k',
  ]);
});
