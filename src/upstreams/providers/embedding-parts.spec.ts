import { describe, expect, it } from '@jest/globals';
import { apiOf, bodyOf, type EmbeddingTarget, requestOf } from '../../../test/support/embedding-target.js';
import { providerCall } from '../../../test/support/provider-call.js';
import type { EmbeddingBody } from '../contract/native.body.js';

describe('one call for embeddings', () => {
  const texts = (count: number, text = 'x') => Array.from({ length: count }, () => text);
  const sizes = (target: EmbeddingTarget, inputs: EmbeddingBody['inputs']) => {
    const parts = apiOf(target, bodyOf({ inputs }))?.split?.() ?? [];
    return parts.map((part) => part.api === 'embeddings' && [part.offset, part.inputs.length]);
  };

  it.each<[string, EmbeddingTarget, EmbeddingBody['inputs'], [offset: number, length: number][]]>([
    [
      'Together, 512 inputs, as it has no base64',
      { protocol: 'together', model: 'm' },
      texts(600),
      [
        [0, 512],
        [512, 88],
      ],
    ],
    [
      'OpenAI, 300,000 tokens',
      { protocol: 'openai', model: 'm' },
      Array.from({ length: 3 }, () => Array.from({ length: 120_000 }, () => 1)),
      [
        [0, 2],
        [2, 1],
      ],
    ],
    [
      'Gemini, 100 inputs',
      { protocol: 'gemini', model: 'm' },
      texts(250),
      [
        [0, 100],
        [100, 100],
        [200, 50],
      ],
    ],
    [
      'Gemini on Vertex AI, one input',
      { protocol: 'gemini', model: 'gemini-embedding-001', settings: { project: 'p', location: 'l' } },
      texts(2),
      [
        [0, 1],
        [1, 1],
      ],
    ],
    [
      'Cohere, 96 inputs',
      { protocol: 'cohere', model: 'm' },
      texts(97),
      [
        [0, 96],
        [96, 1],
      ],
    ],
    [
      'Mistral, about 16,000 tokens',
      { protocol: 'mistral', model: 'm' },
      texts(3, 'x'.repeat(24_000)),
      [
        [0, 2],
        [2, 1],
      ],
    ],
    [
      'a text above the limit, alone',
      { protocol: 'mistral', model: 'm' },
      ['x', 'x'.repeat(60_000), 'x'],
      [
        [0, 1],
        [1, 1],
        [2, 1],
      ],
    ],
  ])('is split at the limit of %s', (_, target, inputs, expected) => {
    expect(sizes(target, inputs)).toEqual(expected);
  });

  it('is one request for 2,048 inputs as base64', () => {
    const body = bodyOf({ inputs: texts(2048), encoding: 'base64' });
    expect(apiOf({ protocol: 'openai', model: 'm' }, body)?.split?.()).toEqual([body]);
  });

  it('is joined in the order of its parts, with the tokens of all parts if they are known', () => {
    const body = bodyOf({ inputs: ['one', 'two'] });
    const api = apiOf({ protocol: 'openai', model: 'm' }, body);
    const completion = { id: 'c', object: 'chat.completion' as const, created: 1, model: 'm', choices: [] };
    const usage = { prompt_tokens: 2, completion_tokens: 0, total_tokens: 2 };
    const parts = [
      { ...completion, nativeText: '{"index":0}', usage },
      { ...completion, nativeText: '{"index":1}', usage },
    ];
    expect(api?.join?.(parts)).toEqual({
      ...completion,
      nativeText: '{"index":0},{"index":1}',
      usage: { prompt_tokens: 4, completion_tokens: 0, total_tokens: 4 },
    });
    expect(api?.join?.([...parts.slice(1), { ...completion, nativeText: '{}' }]).usage).toBeUndefined();
  });

  it.each(['together', 'mistral', 'ollama', 'gemini', 'cohere'])(
    'one call for embeddings with tokens is refused with the name of the field for %s',
    (protocol) => {
      const refused = () => requestOf({ protocol, model: 'm' }, bodyOf({ inputs: [[1, 2]] }));
      expect(refused).toThrow(expect.objectContaining({ status: 400 }));
    },
  );

  it.each(['anthropic', 'deepseek', 'openai-responses'])('is not supported by %s', (protocol) => {
    expect(apiOf({ protocol, model: 'm' }, bodyOf())).toBeNull();
  });

  it('is not supported by other models of Bedrock', () => {
    expect(apiOf({ protocol: 'bedrock', model: 'amazon.nova-lite-v1:0' }, bodyOf())).toBeNull();
  });
});

describe('fields that are not in OpenAI’s format', () => {
  const fields = {
    input: 'x',
    input_type: 'search_query',
    truncate_prompt_tokens: 5,
    user: 'u',
    task_type: 'CLUSTERING',
  };
  const body = bodyOf({ inputs: ['x'], fields });

  it.each([
    ['openai', { input_type: 'search_query', truncate_prompt_tokens: 5, user: 'u', task_type: 'CLUSTERING' }, []],
    ['azure', { user: 'u' }, ['input_type', 'truncate_prompt_tokens', 'task_type']],
    ['cohere', { input_type: 'search_query' }, ['truncate_prompt_tokens', 'user', 'task_type']],
    ['gemini', {}, ['input_type', 'truncate_prompt_tokens', 'user']],
  ])('are sent to %s if it supports them, and reported otherwise', (protocol, sent, ignored) => {
    const request = apiOf({ protocol, model: 'm' }, body)?.toRequest(providerCall(), body);
    expect(request?.body).toMatchObject(sent);
    expect(request?.ignored).toEqual(ignored);
  });
});
