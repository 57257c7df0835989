import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { providerCall } from '../../../test/support/provider-call.js';
import { createSigner } from '../client/auth/signer.js';
import { UpstreamClient } from '../client/upstream.client.js';
import type { Dialect } from './openai/dialect.js';
import { openAiAdapter } from './openai/openai.adapter.js';

const project = resolve(import.meta.dirname, '../../..');
const DIALECT = 'src/upstreams/providers/example/example.dialect.ts';
const FAILURE = 'src/upstreams/providers/example/failure.ts';
const SCHEME = 'src/upstreams/client/auth/signed.scheme.ts';

/** The files of docs/upstreams.md, by path. Their imports lead to the sources unless they import each other. */
async function documentedFiles(): Promise<Map<string, string>> {
  const manual = await readFile(join(project, 'docs/upstreams.md'), 'utf8');
  const [, chapter = ''] = manual.split('## Adding one\n');
  const files = chapter.matchAll(/`(src\/upstreams\/(?:providers|client\/auth)\/[^`]*\.ts)`[^`]*```ts\n(.*?)```/gs);
  return new Map(Array.from(files, ([, path = '', code = '']) => [path, withSources(path, code)]));
}

function withSources(path: string, code: string): string {
  return code.replace(/'(\.\.?\/[^']+)\.js'/g, (text, target: string) =>
    text === "'./failure.js'" ? text : `'${pathToFileURL(join(project, dirname(path), target))}.ts'`,
  );
}

describe('the example of docs/upstreams.md', () => {
  let folder: string;
  let exampleDialect: Dialect;
  let SIGNED: Parameters<typeof createSigner>[0];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-provider-'));
    const files = await documentedFiles();
    expect([...files.keys()]).toEqual(expect.arrayContaining([DIALECT, FAILURE, SCHEME]));
    for (const [path, code] of files) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), code);
    }
    ({ exampleDialect } = await import(pathToFileURL(join(folder, DIALECT)).href));
    ({ SIGNED } = await import(pathToFileURL(join(folder, SCHEME)).href));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is a dialect that sends the fields its API takes', () => {
    const call = providerCall({ store: true, max_completion_tokens: 7 });
    const { body } = openAiAdapter(exampleDialect).toRequest(call);
    expect(body).toMatchObject({ max_tokens: 7 });
    expect(body).not.toHaveProperty('store');
  });

  it('is a dialect that recognizes a spent quota', () => {
    const error = { message: 'Your quota is used up.' };
    const { failure } = openAiAdapter(exampleDialect).toError(403, {}, { error }, providerCall());
    expect(failure).toMatchObject({ quotaSpent: true });
  });

  it('is a scheme that signs the body of a request', () => {
    const secrets = { apiKey: 'sk-example', credential: null };
    const signer = createSigner({ ...SIGNED }, secrets, new UpstreamClient());
    const headers = signer?.({ method: 'POST', url: 'https://api.example.com/v1', headers: {}, body: '{}' });
    expect(headers).toEqual({ 'x-signature': createHmac('sha256', 'sk-example').update('{}').digest('hex') });
  });
});
