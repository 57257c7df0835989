import { expect, it } from '@jest/globals';
import { SECTION_TITLES } from '../src/config/descriptions.js';
import { ConsoleClient } from './support/console-client.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const SECRET = 'sk-hush-4f1d9c';

const PASSWORD = 'database-hush-81b2';

const database = await createMigratedDatabase();
const url = new URL(database.url);
// A server that trusts everybody takes any password.
url.password ||= PASSWORD;
const password: string = url.password;
const gateway = await TestGateway.start({
  database,
  env: { SIMULATOR: 'on', OPENAI_API_KEY: SECRET, DATABASE_URL: url.href },
  config: { 'gateway.yaml': 'server: { bodyLimit: 8mb }' },
});

it('an admin sees every setting with its source, and no secret', async () => {
  const admin = await ConsoleClient.as(gateway, 'admin');
  const { status, body } = await admin.get('/api/settings');
  expect(status).toBe(200);
  const groups = body as { title: string; settings: { name: string }[] }[];
  const titles = groups.map(({ title }) => title);
  expect([...titles].sort()).toEqual([...Object.values(SECTION_TITLES), 'Environment', 'Upstreams'].sort());
  const find = (name: string) => groups.flatMap(({ settings }) => settings).find((setting) => setting.name === name);
  expect(find('server.bodyLimit')).toEqual({
    name: 'server.bodyLimit',
    description: 'largest request body',
    value: '8mb',
    secret: null,
    source: 'file',
    setBy: expect.stringMatching(/config\/gateway\.yaml$/),
  });
  expect(find('simulator.mode')).toMatchObject({ value: 'on', source: 'environment', setBy: 'SIMULATOR' });
  expect(find('OPENAI_API_KEY')).toMatchObject({ value: null, secret: 'set', source: 'environment' });
  expect(find('DATABASE_URL')).toMatchObject({ value: expect.stringMatching(/^postgres/), source: 'environment' });
  expect(JSON.stringify(body)).not.toContain(SECRET);
  expect(JSON.stringify(body)).not.toContain(password);
});

it('other users do not', async () => {
  const member = await ConsoleClient.as(gateway, 'member');
  expect((await member.get('/api/settings')).status).toBe(403);
  expect((await ConsoleClient.of(gateway).get('/api/settings')).status).toBe(401);
});
