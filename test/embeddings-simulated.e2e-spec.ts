import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { at, embeddingRow } from './support/embeddings-test.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

describe('embeddings of the simulator', () => {
  let gateway: TestGateway;
  let user: TestUser;
  beforeAll(async () => {
    const models = embeddingRow('embed', at('openai')).replace('maxInputTokens: 8', 'maxInputTokens: 1000');
    gateway = await TestGateway.start({ env: { SIMULATOR: 'on' }, config: { 'models.yaml': models } });
    user = await gateway.createUser();
  });

  const embed = async (input: string | string[] | number[], fields: object = {}) => {
    const client = new OpenAI({ apiKey: user.key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    return client.embeddings.create({ model: 'embed', input, ...fields });
  };

  it('are vectors of length 1, always the same for the same input', async () => {
    const [first, again, other] = (await embed(['cat', 'cat', 'dog'])).data.map(({ embedding }) => embedding);
    expect(first).toHaveLength(4);
    expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 5);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect((await embed('cat', { encoding_format: 'float' })).data[0]?.embedding).toEqual(first);
    expect((await embed([1, 2, 3])).data).toHaveLength(1);
  });

  it('have the requested dimensions, count tokens and cost nothing', async () => {
    const { data, usage } = await embed(['hello world', 'hello'], { dimensions: 2 });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([2, 2]);
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
    expect((await gateway.calls()).at(-1)).toMatchObject({
      status: 'settled',
      simulated: true,
      input_tokens: '3',
      cost_nanodollars: '0',
    });
  });
});
