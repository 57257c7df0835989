import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientTest } from './support/client-test.js';
import { npmClient, runClient } from './support/run-client.js';
import { turnsOf } from './support/scripted-turns.js';

let test: ClientTest;
beforeAll(async () => {
  test = await ClientTest.start();
});
afterAll(() => test?.stop());

async function codex(model: string, question: string) {
  const home = join(test.folder, 'codex');
  await mkdir(home, { recursive: true });
  const provider = `{ name = "Gateway", base_url = "${test.gateway.url}/v1", env_key = "GATEWAY_KEY", wire_api = "responses" }`;
  const settings = ['-c', 'model_provider=gateway', '-c', `model_providers.gateway=${provider}`];
  const freely = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  return runClient(
    process.execPath,
    [npmClient('@openai/codex/bin/codex.js'), 'exec', ...freely, ...settings, '-m', model, question],
    {
      cwd: test.folder,
      env: { CODEX_HOME: home, GATEWAY_KEY: test.key },
    },
  );
}

describe('Codex, headless', () => {
  it('edits a file under the name of a model for which it offers its tools in the conversation', async () => {
    const cmd = "printf 'written by a tool' > known.txt";
    const input = `text(await tools.exec_command({ cmd: ${JSON.stringify(cmd)} }));`;
    test.upstream.always(turnsOf({ name: 'functions__exec', input: { input } }, 'The file is written.'));
    const { code, output, errors } = await codex('gpt-5.6-terra', 'Write known.txt.');
    expect({ code, output, errors }).toMatchObject({
      code: 0,
      output: expect.stringContaining('The file is written.'),
    });
    expect(await readFile(join(test.folder, 'known.txt'), 'utf8')).toBe('written by a tool');
  });

  it.each([
    ['an upstream with Responses', 'native-gpt'],
    ['an upstream with Chat Completions only', 'translated'],
  ])('edits a file through %s', async (_, model) => {
    const file = `${model}.txt`;
    const tool = { name: 'exec_command', input: { cmd: `printf 'written by a tool' > ${file}` } };
    test.upstream.always(turnsOf(tool, 'The file is written.'));
    const { code, output, errors } = await codex(model, `Write ${file}.`);
    expect({ code, output, errors }).toMatchObject({
      code: 0,
      output: expect.stringContaining('The file is written.'),
    });
    expect(await readFile(join(test.folder, file), 'utf8')).toBe('written by a tool');
  });
});
