import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const project = resolve(import.meta.dirname, '../../..');
const FOLDER = 'src/upstreams/providers/example';
const LIST = 'src/upstreams/providers/providers.ts';
const COPIED = ['src', 'config', 'test/support', 'scripts/lib', 'package.json', '.swcrc', 'jest.config.mjs'];

/** Lets the copy run its specs without a database and a cache. */
const CONFIGURATION = `
  import project from './jest.config.mjs';
  const { globalSetup, globalTeardown, reporters, ...rest } = project;
  export default { ...rest, roots: ['<rootDir>/src/upstreams'], cacheDirectory: '<rootDir>/cache' };
`;

/** The remaining steps of CONTRIBUTING.md: an upstream and a model in config/, and the row in the docs. */
const FURTHER = String.raw`
  import { createHmac } from 'node:crypto';
  import { appendFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { expect, it } from '@jest/globals';
  import { tableOfUpstreams } from '../../scripts/lib/tables.mjs';
  import { loadSettings } from '../config/settings.js';
  import { UpstreamAccesses } from './attempt/upstream-access.js';
  import { UpstreamClient } from './client/upstream.client.js';
  import { PROVIDERS } from './providers/providers.js';

  const project = join(import.meta.dirname, '../..');
  const fields = 'tier: free, displayName: One, description: The first, contextLength: 1000';

  it('example serves a model of config/', () => {
    const upstream = 'example: { protocol: example, baseUrl: "https://api.example.com/v1" }\n';
    appendFileSync(join(project, 'config/upstreams.yaml'), upstream);
    const model = '- { id: one, ' + fields + ', targets: [{ upstream: example, model: theirs }] }\n';
    appendFileSync(join(project, 'config/models.yaml'), model);
    const { upstreams, models } = loadSettings({ EXAMPLE_API_KEY: 'sk-example' }, PROVIDERS, project);
    expect(upstreams.get('example')).toMatchObject({ protocol: 'example', apiKey: 'sk-example' });
    expect(models.at(-1)).toMatchObject({ id: 'one', targets: [{ upstream: 'example', model: 'theirs' }] });
  });

  it('example has its row', () => {
    expect(tableOfUpstreams(PROVIDERS)).toMatch(/^\| .example. \| signed \| sse \|/m);
  });

  it('example signs its requests', () => {
    const { upstreams } = loadSettings({ EXAMPLE_API_KEY: 'sk-example' }, PROVIDERS, project);
    const signer = new UpstreamAccesses(new UpstreamClient()).get(upstreams.get('example')).sign;
    const headers = signer({ method: 'POST', url: 'https://api.example.com/v1', headers: {}, body: '{}' });
    const signature = createHmac('sha256', 'sk-example').update('{}').digest('hex');
    expect(headers).toEqual({ 'x-signature': signature });
  });
`;

it('a dialect and an API of its own, each with an auth scheme, work as the documents describe it', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'gateway-provider-'));
  try {
    for (const path of COPIED) await cp(join(project, path), join(copy, path), { recursive: true });
    await symlink(join(project, 'node_modules'), join(copy, 'node_modules'));
    await writeFile(join(copy, 'copy.config.mjs'), CONFIGURATION);
    await addDialect(copy);
    await addOwnApi(copy);
    expect(await failuresOf(copy, 'example')).toEqual([]);
    expect(await failuresOf(copy, 'own')).toEqual([]);
  } finally {
    await rm(copy, { recursive: true });
  }
});

/** Adds the files of the document, with OpenAI's fixtures as the fixtures of the new API. */
async function addDialect(copy: string): Promise<void> {
  const manual = await readFile(join(project, 'docs/upstreams.md'), 'utf8');
  const [, chapter = ''] = manual.split('## Adding one\n');
  const told = chapter.matchAll(/`(src\/upstreams\/(?:providers|client\/auth)\/[^`]*\.ts)`[^`]*```ts\n(.*?)```/gs);
  const codes = new Map(Array.from(told, ([, path = '', code = '']) => [path, code]));
  const [imported, listed] = codes.get(LIST)?.split('\n\n') ?? [];
  codes.delete(LIST);
  const dialect = `${FOLDER}/example.dialect.ts`;
  const scheme = 'src/upstreams/client/auth/signed.scheme.ts';
  expect([...codes.keys()]).toEqual([dialect, `${FOLDER}/failure.ts`, scheme]);
  const signed = codes.get(dialect)?.replace("protocol: 'example',", "protocol: 'example',\n  auth: SIGNED,") ?? '';
  codes.set(dialect, `import { SIGNED } from '../../client/auth/signed.scheme.js';\n${signed}`);
  const fixtures = join(copy, 'src/upstreams/providers/openai/fixtures');
  await cp(fixtures, join(copy, FOLDER, 'fixtures'), { recursive: true });
  for (const [path, code] of codes) await writeFile(join(copy, path), code);
  await addToList(copy, imported, listed);
  await writeFile(join(copy, 'src/upstreams/example.spec.ts'), FURTHER);
}

/** Adds a provider with Cohere's API that is signed with the scheme of the document: its folder, and a line in the list. */
async function addOwnApi(copy: string): Promise<void> {
  const folder = join(copy, 'src/upstreams/providers/own');
  await cp(join(copy, 'src/upstreams/providers/cohere'), folder, { recursive: true });
  const adapter = await readFile(join(folder, 'cohere.adapter.ts'), 'utf8');
  const own = adapter
    .replace(/import \{ BEARER \}.*/, "import { SIGNED } from '../../client/auth/signed.scheme.js';")
    .replace('auth: BEARER', 'auth: SIGNED')
    .replace("protocol: 'cohere'", "protocol: 'own'")
    .replace('cohereAdapter', 'ownAdapter');
  await writeFile(join(folder, 'own.adapter.ts'), own);
  await rm(join(folder, 'cohere.adapter.ts'));
  await addToList(copy, "import { ownAdapter } from './own/own.adapter.js';", '  ownAdapter,\n');
  // The tests read the answers of an API of its own by its reader, which CONTRIBUTING.md names.
  const readers = join(copy, 'test/support/upstream-readers.ts');
  const text = await readFile(readers, 'utf8');
  await writeFile(readers, text.replace('cohere: cohereReader,', 'cohere: cohereReader,\n  own: cohereReader,'));
}

async function addToList(copy: string, imported = '', line = ''): Promise<void> {
  const list = await readFile(join(copy, LIST), 'utf8');
  const longer = list.replace(/(?<=const PROVIDERS\b.*= \[\n)/, line);
  await writeFile(join(copy, LIST), `${imported}\n${longer}`);
}

/** The failed tests of the contract for a protocol of the copy, and for all protocols and adapters together. */
async function failuresOf(copy: string, protocol: string): Promise<string[]> {
  const options = ['--experimental-vm-modules', join(project, 'node_modules/jest/bin/jest.js'), '--json', '-i'];
  const names = `^(?:${protocol}|every|all) `;
  const chosen = ['-c', 'copy.config.mjs', '-t', names, 'provider.contract', 'anatomy', 'upstreams/example'];
  const { JEST_WORKER_ID: _, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, [...options, ...chosen], { cwd: copy, env, maxBuffer: 2 ** 26 });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { numPassedTests, testResults } = JSON.parse(stdout.slice(stdout.indexOf('{"')));
  const failures = testResults.map(({ message }: { message: string }) => message).filter(Boolean);
  return numPassedTests > 2 ? failures : [...failures, 'no test was run'];
}
