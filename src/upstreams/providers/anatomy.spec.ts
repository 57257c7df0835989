import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** The files of every adapter, with the names that each exports. */
const PARTS: Readonly<Record<string, readonly RegExp[]>> = {
  request: [/^toRequestBody$/],
  messages: [/^toMessages$/],
  tools: [/^toTools$/],
  response: [/^toCompletion$/, /^\w+ChunkReader$/],
  failure: [/^toError$/, /^reportedFailure$/],
};

/** Optional files. */
const FURTHER = ['endpoint', 'native.api'];

/** Files of a single API. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  bedrock: ['converse.types', 'schema'],
  openai: ['chunk.reader', 'dialect', 'text-completions'],
  'openai-responses': ['output-items', 'responses.adapter'],
};

/** Their files have a dialect as a parameter, or are in another of these folders. */
const OF_OPENAI = new Set(['openai', 'openai-responses']);

const here = import.meta.dirname;
const folders = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'shared' ? [entry.name] : [],
);

const filesOf = (folder: string) =>
  readdirSync(join(here, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
const isDialect = (folder: string) => filesOf(folder).every((file) => !file.endsWith('.adapter'));

it('all adapters use the same names for their files', () => {
  const strange = folders.flatMap((folder) => {
    const own = [...(OWN[folder] ?? []), `${folder}.adapter`, `${folder}.dialect`];
    const known = [...Object.keys(PARTS), ...FURTHER, ...own];
    return filesOf(folder).flatMap((file) => (known.includes(file) ? [] : [`${folder}/${file}`]));
  });
  expect(strange).toEqual([]);
});

it('every folder has a dialect, or all files of an adapter', () => {
  const lacking = folders.flatMap((folder) => {
    const required = isDialect(folder) ? [`${folder}.dialect`] : Object.keys(PARTS);
    const files = filesOf(folder);
    return required.flatMap((file) => (files.includes(file) ? [] : [`${folder}/${file}`]));
  });
  expect(lacking).toEqual([]);
});

it('all adapters export their parts under the same names', async () => {
  const adapters = folders.filter((folder) => !isDialect(folder) && !OF_OPENAI.has(folder));
  expect(adapters.length).toBeGreaterThan(0);
  const lacking: string[] = [];
  for (const folder of adapters) {
    for (const [part, names] of Object.entries(PARTS)) {
      const exported = Object.keys(await import(`./${folder}/${part}.js`));
      const absent = names.filter((name) => !exported.some((one) => name.test(one)));
      lacking.push(...absent.map((name) => `${folder}/${part}: ${name}`));
    }
  }
  expect(lacking).toEqual([]);
});
