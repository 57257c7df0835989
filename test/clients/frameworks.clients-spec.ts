import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { otherRefusals } from '../support/strict/bound-signature.js';
import { toolLoop } from '../support/strict/turn.js';
import { ClientTest } from './support/client-test.js';
import { pythonClient, runClient } from './support/run-client.js';

const TEXT = 'It is sunny in Paris.';
const AGENT = toolLoop([{ name: 'weather', input: { city: 'Paris' } }], TEXT);

let test: ClientTest;
let storing: ClientTest;
beforeAll(async () => {
  test = await ClientTest.start();
  storing = await ClientTest.start({ stores: true });
});

/** Runs a program of `programs/` and returns the JSON that it prints, and what the upstream refused meanwhile. */
async function run(program: string, api: string, model: string, at = test): Promise<unknown> {
  at.upstream.refusals.length = 0;
  const command = program.endsWith('.py') ? pythonClient() : process.execPath;
  const { code, output, errors } = await runClient(command, [resolve(import.meta.dirname, 'programs', program)], {
    cwd: at.folder,
    env: {
      ...{ GATEWAY_URL: at.gateway.url, GATEWAY_KEY: at.key, API: api, MODEL: model, EMBEDDINGS_MODEL: 'vectors' },
      STORED: at === storing ? 'yes' : 'no',
    },
  });
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !last.startsWith('{')) throw new Error(`exit code ${code}: ${output}${errors}`);
  return { ...JSON.parse(last), refusals: otherRefusals(at.upstream.refusals) };
}

describe.each([
  ['responses', 'native-gpt'],
  ['responses', 'translated'],
  ['messages', 'native-claude'],
  ['messages', 'translated'],
  ['chat', 'native-gpt'],
  ['chat', 'native-claude'],
  ['chat', 'translated'],
])('a program that calls %s with the model %s', (api, model) => {
  const programs: Readonly<Record<string, readonly string[]>> = {
    responses: ['agents.mjs', 'openai_sdk.mjs', 'openai_agents.py', 'openai_sdk.py', 'haystack_agents.py'],
    messages: ['anthropic_sdk.py'],
    chat: ['openai_sdk.mjs', 'haystack_agents.py'],
  };
  const ofAllApis = ['ai-sdk.mjs', 'langchain.mjs', 'langchain_models.py', 'pydantic_agents.py'];

  it.each([...ofAllApis, ...(programs[api] ?? [])])(
    '%s calls a tool, answers, and answers a second question, complete and streamed, with its default settings',
    async (program) => {
      test.upstream.follow(AGENT);
      expect(await run(program, api, model)).toMatchObject({
        texts: [TEXT, TEXT],
        streamed: [TEXT, TEXT],
        results: ['Sunny in Paris.'],
        refusals: [],
      });
    },
  );
});

describe.each(['native-gpt', 'native-claude', 'translated'])('with stored responses, to the model %s', (model) => {
  it.each(['responses', 'azure'])(
    'ai-sdk.mjs answers a second question with its default settings by %s',
    async (api) => {
      storing.upstream.follow(AGENT);
      expect(await run('ai-sdk.mjs', api, model, storing)).toMatchObject({
        texts: [TEXT, TEXT],
        streamed: [TEXT, TEXT],
        results: ['Sunny in Paris.'],
        refusals: [],
      });
    },
  );
});

describe('by embeddings', () => {
  it('embeddings.py gets vectors, which its libraries request as base64 and for tokens', async () => {
    expect(await run('embeddings.py', 'embeddings', 'vectors')).toMatchObject({
      openai: [0.25, -0.5],
      langchain: [0.25, -0.5],
    });
  });
});

describe.each(['native-gpt', 'native-claude', 'translated'])('by the paths of Azure to the model %s', (model) => {
  it.each(['azure.mjs', 'azure.py'])('%s gets answers and vectors', async (program) => {
    test.upstream.follow(toolLoop([], TEXT));
    expect(await run(program, 'azure', model)).toMatchObject({
      texts: Array<string>(6).fill(TEXT),
      embeddings: Array<number[]>(2).fill([0.25, -0.5]),
      refusals: [],
    });
  });
});
