import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestGateway } from './support/test-gateway.js';

describe('GET /v1/models', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
  });
  afterAll(() => gateway?.stop());

  it('lists the 7 free models for a member of the free plan and all 17 for a pro member', async () => {
    const free = await gateway.createUser();
    const pro = await gateway.createUser({ plan: 'pro' });
    const lists = await Promise.all(
      [free, pro].map(async (user) => (await gateway.get('/v1/models', user.headers)).json() as Promise<object[]>),
    );
    expect(lists.map((list) => list.length)).toEqual([7, 17]);
  });
});
