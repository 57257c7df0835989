import { describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, type EmbeddingTarget, requestOf } from '../../../test/support/embedding-target.js';
import { UpstreamError } from '../contract/upstream.error.js';

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
  target: EmbeddingTarget;
  path: string;
  /** For two texts with two dimensions. */
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

/** Their answers are read exactly like those of openai. */
const LIKE_OPENAI = ['openai-compatible', 'vllm', 'openrouter', 'azure', 'ollama', 'mistral'];

describe.each(CASES)('embeddings of $name', ({ target, path, body, response, tokens }) => {
  it('are requested in its own format', () => {
    expect(requestOf(target, bodyOf({ dimensions: 2 }))).toEqual({ path, body });
  });

  if (LIKE_OPENAI.includes(target.protocol)) return;

  it('become entries of OpenAI’s list, with the reported tokens', () => {
    expect(answerOf(target, response, bodyOf())).toEqual({ data: ENTRIES, tokens });
  });

  it('are a failure of the upstream if there are too few, or if the answer is something else', () => {
    for (const wrong of [{}, [], null, 'x', { data: [{ embedding: 'x' }, {}] }]) {
      expect(() => answerOf(target, wrong, bodyOf())).toThrow(UpstreamError);
    }
    expect(() => answerOf(target, response, bodyOf({ inputs: ['one', 'two', 'three'] }))).toThrow(UpstreamError);
  });
});

describe('Titan on Bedrock', () => {
  const titan = { protocol: 'bedrock', model: 'amazon.titan-embed-text-v2:0' };

  it('accepts one text per request', () => {
    const body = bodyOf({ inputs: ['one'], dimensions: 256 });
    expect(requestOf(titan, body)).toEqual({
      path: '/model/amazon.titan-embed-text-v2%3A0/invoke',
      body: { inputText: 'one', dimensions: 256 },
    });
    const response = { embedding: [1, 0], inputTextTokenCount: 3 };
    expect(answerOf(titan, response, body)).toEqual({ data: [ENTRIES[0]], tokens: 3 });
  });
});
