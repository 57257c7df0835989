import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConsoleClient } from './support/console-client.js';
import { TestGateway } from './support/test-gateway.js';

const SECRET = 'sk-hush-4f1d9c';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start({
    env: { SIMULATOR: 'on', OPENAI_API_KEY: SECRET },
    config: { 'gateway.yaml': 'server: { bodyLimit: 8mb }' },
  });
});
afterAll(() => gateway?.stop());

it('an admin sees every setting with what sets it, and no secret', async () => {
  const admin = await ConsoleClient.as(gateway, 'admin');
  const { status, body } = await admin.get('/api/settings');
  expect(status).toBe(200);
  const groups = body as { title: string; settings: { name: string }[] }[];
  expect(groups.map(({ title }) => title)).toEqual([
    'Server',
    'Streams',
    'Retries',
    'Simulator',
    'Callers',
    'Shutdown',
    'Requests',
    'Sign-in',
    'Key policy',
    'Usage',
    'Environment',
    'Upstreams',
  ]);
  const find = (name: string) => groups.flatMap(({ settings }) => settings).find((setting) => setting.name === name);
  expect(find('server.bodyLimit')).toEqual({
    name: 'server.bodyLimit',
    description: 'the largest request body',
    value: '8mb',
    secret: null,
    source: 'file',
    setBy: expect.stringMatching(/config\/gateway\.yaml$/),
  });
  expect(find('simulator.mode')).toMatchObject({ value: 'on', source: 'environment', setBy: 'SIMULATOR' });
  expect(find('OPENAI_API_KEY')).toMatchObject({ value: null, secret: 'set', source: 'environment' });
  expect(find('DATABASE_URL')).toMatchObject({ value: expect.stringMatching(/^postgres/), source: 'environment' });
  const password = new URL(gateway.database.url).password;
  expect(password.length).toBeGreaterThan(0);
  expect(JSON.stringify(body)).not.toContain(SECRET);
  expect(JSON.stringify(body)).not.toContain(password);
});

it('nobody else does', async () => {
  const member = await ConsoleClient.as(gateway, 'member');
  expect((await member.get('/api/settings')).status).toBe(403);
  expect((await ConsoleClient.of(gateway).get('/api/settings')).status).toBe(401);
});
