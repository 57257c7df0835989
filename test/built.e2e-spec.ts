import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatewayProcess, runCli } from './support/gateway-process.js';
import { createMigratedDatabase, type TestDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const LOADED_MODULES = resolve(import.meta.dirname, 'support/loaded-modules.mjs');
const DIST = resolve(import.meta.dirname, '../dist');
/** What an import, a re-export or an `import()` of a package names. */
const PACKAGE = /(?:\bfrom |^import |\bimport\()["']([^"'.:\n][^"':\n]*)["']/gm;

/** Most other tests run the sources, which import each package as npm installed it; dist/ imports them joined. */
describe('the built gateway, whose packages are joined into few files', () => {
  let database: TestDatabase;
  let built: GatewayProcess;
  let source: TestGateway;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    source = await TestGateway.start({ database, env: { SIMULATOR: 'on' } });
    built = await GatewayProcess.start({ env: { SIMULATOR: 'on', DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await built?.stop();
    await source?.stop();
    await database?.drop();
  });

  const both = async (path: string, init?: RequestInit) =>
    Promise.all(
      [source, built].map(async ({ url }) => {
        const response = await fetch(url + path, init);
        return { status: response.status, text: (await response.text()).replaceAll(url, 'http://gateway') };
      }),
    );

  it('imports no package from elsewhere, but for two', () => {
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.js') && !/^(web|packages)\b/.test(file),
    );
    expect(files.length).toBeGreaterThan(300);
    const imported = files.flatMap((file) =>
      [...readFileSync(resolve(DIST, file), 'utf8').matchAll(PACKAGE)].map(([, name]) => name),
    );
    expect(new Set(imported)).toEqual(new Set(['reflect-metadata', 'gpt-tokenizer/encoding/o200k_base']));
  });

  it('loads no package a second time, by a `require` that asks for what is joined', async () => {
    const file = join(built.folder.path, 'loaded');
    const { code } = await runCli(['user:list'], built.folder.path, {
      ...{ ...built.folder.variables, DATABASE_URL: database.url },
      ...{ NODE_OPTIONS: `--import=${pathToFileURL(LOADED_MODULES)}`, LOADED_MODULES: file },
    });
    expect(code).toBe(0);
    const loaded = (await readFile(file, 'utf8')).split('\n').filter((url) => url.includes('/node_modules/'));
    expect(loaded.map((url) => url.split('/node_modules/').at(-1))).toEqual(['reflect-metadata/Reflect.js']);
  });

  it('describes the same API', async () => {
    const [one, other] = await both('/docs/openapi.json');
    expect(one?.status).toBe(200);
    expect(JSON.parse(other?.text ?? '')).toEqual(JSON.parse(one?.text ?? ''));
  });

  it.each([
    ['/api/session', { email: 'nobody', password: 1, more: [] }],
    ['/api/setup', { token: 5, email: ['a'], password: 'short' }],
    ['/v1/chat/completions', { model: 'nova-lite' }],
  ])('checks what comes to %s the same way', async (path, body) => {
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
    const body = JSON.stringify({ model: 'nova-lite', messages: [{ role: 'user', content: 'Hello' }] });
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
