import { beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddingsTest } from './support/embeddings-test.js';
import { expectError } from './support/error-reply.js';

describe('POST /v1/embeddings', () => {
  let test: EmbeddingsTest;
  beforeAll(async () => {
    test = await EmbeddingsTest.start();
  });

  it.each([
    ['no model', { input: 'x' }, 'missing_required_parameter', 'model'],
    ['no input', { model: 'embed' }, 'missing_required_parameter', 'input'],
    ['an empty list', { model: 'embed', input: [] }, 'invalid_value', 'input'],
    ['an empty text', { model: 'embed', input: '' }, 'invalid_value', 'input'],
    ['an empty text in a list', { model: 'embed', input: ['a', ''] }, 'invalid_value', 'input[1]'],
    ['a number among texts', { model: 'embed', input: ['a', 1] }, 'invalid_type', 'input[1]'],
    ['an empty list of tokens', { model: 'embed', input: [[1], []] }, 'invalid_value', 'input[1]'],
    ['a negative token', { model: 'embed', input: [[1], [1, -1]] }, 'invalid_type', 'input[1][1]'],
    ['an object', { model: 'embed', input: { a: 1 } }, 'invalid_type', 'input'],
    [
      'more than 2,048 inputs',
      { model: 'embed', input: Array.from({ length: 2049 }, () => 'a') },
      'invalid_value',
      'input',
    ],
    [
      'dimensions above those of the model',
      { model: 'embed', input: 'x', dimensions: 5 },
      'invalid_value',
      'dimensions',
    ],
    ['dimensions of 0', { model: 'embed', input: 'x', dimensions: 0 }, 'invalid_value', 'dimensions'],
    [
      'an unknown encoding',
      { model: 'embed', input: 'x', encoding_format: 'int8' },
      'invalid_value',
      'encoding_format',
    ],
    ['tokens where the upstream takes texts', { model: 'texts', input: [1, 2] }, 'unsupported_value', 'input'],
    ['a model whose upstream has no embeddings', { model: 'none', input: 'x' }, 'model_not_supported', 'model'],
    ['a chat model', { model: 'chat', input: 'x' }, 'model_not_supported', 'model'],
    ['a chat model by its alias', { model: 'talk', input: 'x' }, 'model_not_supported', 'model'],
    [
      'an input that is too long, in a list',
      { model: 'embed', input: ['a', 'a b c d e f g h i'] },
      'context_length_exceeded',
      'input[1]',
    ],
    ['a text that is too long', { model: 'embed', input: 'a b c d e f g h i' }, 'context_length_exceeded', 'input'],
    [
      'a list of tokens that is too long',
      { model: 'embed', input: [[1], [1, 2, 3, 4, 5, 6, 7, 8, 9]] },
      'context_length_exceeded',
      'input[1]',
    ],
  ])('refuses %s', async (_, body, code, param) => {
    const requests = test.a.requests.length + test.b.requests.length;
    await expectError(await test.post(body), { status: 400, type: 'invalid_request_error', code, param });
    expect(test.a.requests.length + test.b.requests.length).toBe(requests);
  });

  it('refuses an unknown model with a 404, and a request without a key before its body', async () => {
    await expectError(await test.post({ model: 'gone', input: 'x' }), {
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
    const open = await fetch(`${test.gateway.url}/v1/embeddings`, { method: 'POST', body: 'not JSON' });
    expect(open.status).toBe(401);
  });

  it.each([
    ['/v1/chat/completions', {}],
    ['/v1/responses', { input: 'Hi' }],
    ['/v1/messages', { max_tokens: 5 }],
    ['/v1/messages/count_tokens', {}],
    ['/v1/completions', { prompt: 'Hi' }],
  ])('embedding models are refused by name at %s', async (path, fields) => {
    for (const stream of [false, true]) {
      const body = { model: 'embed', messages: [{ role: 'user', content: 'Hi' }], stream, ...fields };
      const reply = await test.post(body, { path, headers: { 'anthropic-version': '2023-06-01' } });
      expect(reply.status).toBe(400);
      const { error } = (await reply.json()) as { error: { message: string; code?: string; param?: string } };
      expect(error.message).toContain("'embed' is an embedding model");
      if (!path.includes('messages')) expect(error).toMatchObject({ code: 'model_not_supported', param: 'model' });
    }
  });
});
