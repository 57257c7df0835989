import { describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../test/support/provider-call.js';
import { nativeApiOf } from '../attempt/native-api-of.js';
import type { EmbeddingBody } from '../contract/native.body.js';
import type { NativeApi } from '../contract/provider.adapter.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { PROVIDERS } from './providers.js';

interface Target {
  protocol: string;
  model: string;
  settings?: Record<string, string>;
}

function bodyOf(fields: Partial<EmbeddingBody> = {}): EmbeddingBody {
  const inputs = fields.inputs ?? ['one', 'two'];
  return {
    api: 'embeddings',
    fields: { input: inputs },
    headers: {},
    inputs,
    offset: 0,
    dimensions: null,
    encoding: 'float',
    ...fields,
  };
}

function apiOf({ protocol, model, settings = {} }: Target, body: EmbeddingBody): NativeApi | null {
  const adapter = PROVIDERS.find((one) => one.protocol === protocol);
  if (!adapter) throw new Error(`no adapter for ${protocol}`);
  return nativeApiOf(adapter, body, { upstreamModel: model, settings });
}

function requestOf(target: Target, body: EmbeddingBody) {
  const call = { ...providerCall(), upstreamModel: target.model, settings: target.settings ?? {} };
  const request = apiOf(target, body)?.toRequest(call, body);
  return request && { path: request.path, body: request.body };
}

function answerOf(target: Target, response: unknown, body: EmbeddingBody) {
  const completion = apiOf(target, body)?.fromResponse(JSON.stringify(response), providerCall());
  return { data: JSON.parse(`[${completion?.nativeText}]`), tokens: completion?.usage?.prompt_tokens };
}

const ENTRIES = [
  { object: 'embedding', index: 0, embedding: [1, 0] },
  { object: 'embedding', index: 1, embedding: [0, -0.5] },
];

const VECTORS = [
  [1, 0],
  [0, -0.5],
];

const openAi = { data: [{ index: 1, embedding: [0, -0.5] }, ENTRIES[0]], usage: { prompt_tokens: 7, total_tokens: 7 } };
const openAiBody = { model: 'm', input: ['one', 'two'], dimensions: 2, encoding_format: 'float' };
const vertex = { project: 'p', location: 'l' };

interface Case {
  name: string;
  target: Target;
  path: string;
  /** Of two texts with two dimensions. */
  body: object;
  response: object;
  tokens?: number;
}

const CASES: Case[] = [
  ...['openai', 'openai-compatible', 'vllm', 'openrouter'].map((protocol) => ({
    name: protocol,
    target: { protocol, model: 'm' },
    path: '/embeddings',
    body: openAiBody,
    response: openAi,
    tokens: 7,
  })),
  {
    name: 'azure v1',
    target: { protocol: 'azure', model: 'm' },
    path: '/openai/v1/embeddings',
    body: openAiBody,
    response: openAi,
    tokens: 7,
  },
  {
    name: 'classic azure',
    target: { protocol: 'azure', model: 'm', settings: { apiVersion: '2024-10-21' } },
    path: '/openai/deployments/m/embeddings?api-version=2024-10-21',
    body: openAiBody,
    response: openAi,
    tokens: 7,
  },
  {
    name: 'together',
    target: { protocol: 'together', model: 'm' },
    path: '/embeddings',
    body: { model: 'm', input: ['one', 'two'], dimensions: 2 },
    response: { data: ENTRIES },
  },
  {
    name: 'ollama',
    target: { protocol: 'ollama', model: 'm' },
    path: '/v1/embeddings',
    body: { model: 'm', input: ['one', 'two'], dimensions: 2 },
    response: openAi,
    tokens: 7,
  },
  {
    name: 'mistral',
    target: { protocol: 'mistral', model: 'codestral-embed' },
    path: '/v1/embeddings',
    body: { model: 'codestral-embed', input: ['one', 'two'], output_dimension: 2 },
    response: openAi,
    tokens: 7,
  },
  {
    name: 'the Gemini API',
    target: { protocol: 'gemini', model: 'gemini-embedding-001' },
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    body: {
      requests: ['one', 'two'].map((text) => ({
        model: 'models/gemini-embedding-001',
        content: { parts: [{ text }] },
        outputDimensionality: 2,
      })),
    },
    response: { embeddings: VECTORS.map((values) => ({ values })), usageMetadata: { promptTokenCount: 7 } },
    tokens: 7,
  },
  {
    name: 'Vertex AI',
    target: { protocol: 'gemini', model: 'text-embedding-005', settings: vertex },
    path: '/v1/projects/p/locations/l/publishers/google/models/text-embedding-005:predict',
    body: {
      instances: [{ content: 'one' }, { content: 'two' }],
      parameters: { autoTruncate: false, outputDimensionality: 2 },
    },
    response: {
      predictions: VECTORS.map((values) => ({
        embeddings: { values, statistics: { token_count: 3, truncated: false } },
      })),
    },
    tokens: 6,
  },
  {
    name: 'cohere',
    target: { protocol: 'cohere', model: 'embed-v4.0' },
    path: '/v2/embed',
    body: {
      model: 'embed-v4.0',
      texts: ['one', 'two'],
      input_type: 'search_document',
      embedding_types: ['float'],
      truncate: 'NONE',
      output_dimension: 2,
    },
    response: { embeddings: { float: VECTORS }, meta: { billed_units: { input_tokens: 7 } } },
    tokens: 7,
  },
  {
    name: 'Cohere on Bedrock',
    target: { protocol: 'bedrock', model: 'cohere.embed-multilingual-v3' },
    path: '/model/cohere.embed-multilingual-v3/invoke',
    body: {
      texts: ['one', 'two'],
      input_type: 'search_document',
      embedding_types: ['float'],
      truncate: 'NONE',
      output_dimension: 2,
    },
    response: { embeddings: VECTORS, response_type: 'embeddings_floats' },
  },
];

describe.each(CASES)('embeddings of $name', ({ target, path, body, response, tokens }) => {
  it('are requested in its own format', () => {
    expect(requestOf(target, bodyOf({ dimensions: 2 }))).toEqual({ path, body });
  });

  it('become entries of OpenAI’s list, with the tokens that are reported', () => {
    expect(answerOf(target, response, bodyOf())).toEqual({ data: ENTRIES, tokens });
  });

  it('are a failure of the upstream if there are too few or it is something else', () => {
    for (const wrong of [{}, [], null, 'x', { data: [{ embedding: 'x' }, {}] }]) {
      expect(() => answerOf(target, wrong, bodyOf())).toThrow(UpstreamError);
    }
    expect(() => answerOf(target, response, bodyOf({ inputs: ['one', 'two', 'three'] }))).toThrow(UpstreamError);
  });
});

describe('Titan on Bedrock', () => {
  const titan = { protocol: 'bedrock', model: 'amazon.titan-embed-text-v2:0' };

  it('takes one text in a request', () => {
    const body = bodyOf({ inputs: ['one'], dimensions: 256 });
    expect(requestOf(titan, body)).toEqual({
      path: '/model/amazon.titan-embed-text-v2%3A0/invoke',
      body: { inputText: 'one', dimensions: 256 },
    });
    const response = { embedding: [1, 0], inputTextTokenCount: 3 };
    expect(answerOf(titan, response, body)).toEqual({ data: [ENTRIES[0]], tokens: 3 });
  });
});

describe('one call for embeddings', () => {
  const texts = (count: number, text = 'x') => Array.from({ length: count }, () => text);
  const sizes = (target: Target, inputs: EmbeddingBody['inputs']) => {
    const body = bodyOf({ inputs });
    return (apiOf(target, body)?.split?.() as EmbeddingBody[]).map((part) => [part.offset, part.inputs.length]);
  };

  it.each<[string, Target, EmbeddingBody['inputs'], [offset: number, length: number][]]>([
    ['OpenAI, 2,048 inputs', { protocol: 'openai', model: 'm' }, texts(2048), [[0, 2048]]],
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
      { protocol: 'gemini', model: 'gemini-embedding-001', settings: vertex },
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

  it('is joined in the order of its parts, with the tokens of all, or none if one is unknown', () => {
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
    'with tokens is refused by name for %s',
    (protocol) => {
      const refused = () => requestOf({ protocol, model: 'm' }, bodyOf({ inputs: [[1, 2]] }));
      expect(refused).toThrow(expect.objectContaining({ status: 400 }));
    },
  );

  it.each(['anthropic', 'deepseek', 'groq', 'xai', 'perplexity', 'openai-responses'])(
    'does not go to %s',
    (protocol) => {
      expect(apiOf({ protocol, model: 'm' }, bodyOf())).toBeNull();
    },
  );

  it('does not go to other models of Bedrock', () => {
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
  ])('go to %s where it takes them, and are named otherwise', (protocol, sent, ignored) => {
    const request = apiOf({ protocol, model: 'm' }, body)?.toRequest(providerCall(), body);
    expect(request?.body).toMatchObject(sent);
    expect(request?.ignored).toEqual(ignored);
  });
});
