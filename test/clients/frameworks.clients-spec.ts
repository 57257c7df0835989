import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientTest } from './support/client-test.js';
import { pythonClient, runClient } from './support/run-client.js';
import { turnsOf } from './support/scripted-turns.js';

const TEXT = 'It is sunny in Paris.';

let test: ClientTest;
beforeAll(async () => {
  test = await ClientTest.start();
});
afterAll(() => test?.stop());

/**
 * Runs a program of `programs/`, which asks a question with a tool, complete and streamed, and prints the results as
 * JSON.
 */
async function run(program: string, api: string, model: string): Promise<unknown> {
  const command = program.endsWith('.py') ? pythonClient() : process.execPath;
  const { code, output, errors } = await runClient(command, [resolve(import.meta.dirname, 'programs', program)], {
    cwd: test.folder,
    env: { GATEWAY_URL: test.gateway.url, GATEWAY_KEY: test.key, API: api, MODEL: model, EMBEDDINGS_MODEL: 'vectors' },
  });
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !last.startsWith('{')) throw new Error(`exit code ${code}: ${output}${errors}`);
  return JSON.parse(last);
}

describe.each([
  ['responses', 'native-gpt'],
  ['responses', 'translated'],
  ['messages', 'native-claude'],
  ['messages', 'translated'],
])('by %s to the model %s', (api, model) => {
  const programs = ['ai-sdk.mjs', 'langchain.mjs', 'langchain_models.py', 'pydantic_agents.py'];
  const ofApi = api === 'responses' ? ['agents.mjs', 'openai_agents.py', 'openai_sdk.py'] : ['anthropic_sdk.py'];

  it.each([...programs, ...ofApi])('%s calls a tool and returns the answer, complete and streamed', async (program) => {
    test.upstream.always(turnsOf({ name: 'weather', input: { city: 'Paris' } }, TEXT));
    expect(await run(program, api, model)).toMatchObject({
      text: TEXT,
      streamed: TEXT,
      results: ['Sunny in Paris.'],
    });
  });
});

describe('by embeddings', () => {
  it('embeddings.py gets vectors, which its libraries request as base64 and for tokens', async () => {
    test.upstream.always(turnsOf(null, TEXT));
    expect(await run('embeddings.py', 'embeddings', 'vectors')).toEqual({
      openai: [0.25, -0.5],
      langchain: [0.25, -0.5],
    });
  });
});

describe.each(['native-gpt', 'native-claude', 'translated'])('by the paths of Azure to the model %s', (model) => {
  it.each(['azure.mjs', 'azure.py'])('%s gets answers and vectors', async (program) => {
    test.upstream.always(turnsOf(null, TEXT));
    expect(await run(program, 'azure', model)).toEqual({
      texts: Array<string>(6).fill(TEXT),
      embeddings: Array<number[]>(2).fill([0.25, -0.5]),
    });
  });
});
