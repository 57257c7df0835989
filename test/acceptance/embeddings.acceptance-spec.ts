import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/embedding-target.js';
import { RECORDINGS } from './shared-recordings.js';

interface Entry {
  index: number;
  embedding: number[] | string;
}

interface Response {
  data: Entry[];
  usage: { prompt_tokens: number };
}

const read = (...path: string[]) => JSON.parse(readFileSync(join(RECORDINGS, ...path), 'utf8'));

const fromBase64 = (text: string) => {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
};

it.each([
  ['openai', () => read('openai', 'vercel-openai-embedding.json') as Response],
  [
    'azure',
    () => read('azure', 'traceloop-test_embeddings.test_azure_openai_embeddings.0.json').response.body as Response,
  ],
])('recorded embeddings of %s reach the client unchanged, or in the requested encoding', (protocol, response) => {
  const { data, usage } = response();
  const inputs = data.map(() => 'x');
  for (const encoding of ['float', 'base64'] as const) {
    const answer = answerOf({ protocol, model: 'm' }, { data, usage }, bodyOf({ inputs, encoding }));
    expect(answer.tokens).toBe(usage.prompt_tokens);
    for (const [index, { embedding }] of (answer.data as Entry[]).entries()) {
      const recorded = data[index]?.embedding ?? [];
      const numbers = typeof recorded === 'string' ? fromBase64(recorded) : recorded.map(Math.fround);
      const given = typeof embedding === 'string' ? fromBase64(embedding) : embedding.map(Math.fround);
      expect(typeof embedding).toBe(encoding === 'float' ? 'object' : 'string');
      expect(given).toEqual(numbers);
    }
  }
});
