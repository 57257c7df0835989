import { beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayProcess } from '../support/gateway-process.js';
import { createMigratedDatabase, type TestDatabase } from '../support/test-database.js';
import { TestGateway } from '../support/test-gateway.js';

/** Most other tests run the sources, which a different compiler compiles for them. */
describe('the built gateway, compared with its sources', () => {
  let database: TestDatabase;
  let built: GatewayProcess;
  let source: TestGateway;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    source = await TestGateway.start({ database, env: { SIMULATOR: 'on' } });
    built = await GatewayProcess.start({ env: { SIMULATOR: 'on', DATABASE_URL: database.url } });
  });

  const both = async (path: string, init?: RequestInit) =>
    Promise.all(
      [source, built].map(async ({ url }) => {
        const response = await fetch(url + path, init);
        return { status: response.status, text: (await response.text()).replaceAll(url, 'http://gateway') };
      }),
    );

  it('describes the same API', async () => {
    const [one, other] = await both('/docs/openapi.json');
    expect(one?.status).toBe(200);
    expect(JSON.parse(other?.text ?? '')).toEqual(JSON.parse(one?.text ?? ''));
  });

  it.each([
    ['/api/session', { email: 'nobody', password: 1, more: [] }],
    ['/api/setup', { token: 5, email: ['a'], password: 'short' }],
    ['/v1/chat/completions', { model: 'nova-2-lite' }],
  ])('checks requests to %s the same way', async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const [one, other] = await both(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(one?.status).toBeGreaterThanOrEqual(400);
    expect(other).toEqual(one);
  });

  it('knows the same keys, models and calls', async () => {
    const { headers } = await source.createUser({ plan: 'pro' });
    const [models, same] = await both('/v1/models', { headers });
    expect(models?.status).toBe(200);
    expect(same).toEqual(models);
    const body = JSON.stringify({ model: 'nova-2-lite', messages: [{ role: 'user', content: 'Hello' }] });
    const answers = await both('/v1/chat/completions', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    const [one, other] = answers.map(({ text }) => ({ ...JSON.parse(text), id: '', created: 0 }));
    expect(one.choices).toHaveLength(1);
    expect(other).toEqual(one);
  });
});
