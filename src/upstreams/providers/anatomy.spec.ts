import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** The files of every adapter, with the names that each exports. */
const PARTS: Readonly<Record<string, readonly RegExp[]>> = {
  'request-body': [/^toRequestBody$/],
  messages: [/^toMessages$/],
  tools: [/^toTools$/],
  completion: [/^toCompletion$/],
  'chunk.reader': [/^\w+ChunkReader$/],
  usage: [/^toUsage$/],
  'finish-reason': [/^toFinishReason$/],
  failure: [/^toError$/, /^reportedFailure$/],
};

/** Optional files. */
const FURTHER = [
  'content',
  'tool-calls',
  'reasoning',
  'thoughts',
  'citations',
  'logprobs',
  'endpoint',
  'embeddings',
  'native.api',
];

/** Files of a single API. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['native-refusals', 'native-request', 'native-thoughts'],
  azure: ['responses.surface'],
  bedrock: ['converse.types', 'model-family', 'nova-schema', 'output-format'],
  gemini: ['candidate.reader', 'model-generation', 'partial-arguments', 'tool-results'],
  openai: [
    ...['changed-list', 'dialect', 'envelope', 'error-facts', 'field-rule', 'output-format'],
    ...['text-chunk.reader', 'text-completions'],
  ],
  'openai-responses': ['chat-or-responses.adapter', 'unsupported', 'responses.adapter', 'responses.surface'],
};

/** Their files have a dialect as a parameter, or are in another of these folders. */
const OF_OPENAI = new Set(['openai', 'openai-responses']);

const here = import.meta.dirname;
const folders = readdirSync(here, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'shared' ? [entry.name] : [],
);

describe.each(folders)('%s', (folder) => {
  const files = readdirSync(join(here, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  const isDialect = files.every((file) => !file.endsWith('.adapter'));

  it('names its files like all adapters', () => {
    const known = [...Object.keys(PARTS), ...FURTHER, ...(OWN[folder] ?? []), `${folder}.adapter`, `${folder}.dialect`];
    expect(files.filter((file) => !known.includes(file))).toEqual([]);
  });

  it(isDialect ? 'is a dialect' : 'has every file', async () => {
    if (isDialect) expect(files).toContain(`${folder}.dialect`);
    else expect(Object.keys(PARTS).filter((part) => !files.includes(part))).toEqual([]);
  });

  if (isDialect || OF_OPENAI.has(folder)) return;

  it.each(Object.entries(PARTS))('exports %s under the common name', async (part, names) => {
    const exported = Object.keys(await import(`./${folder}/${part}.js`));
    expect(names.filter((name) => !exported.some((one) => name.test(one)))).toEqual([]);
  });
});
