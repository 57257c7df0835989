import { readFile } from 'node:fs/promises';
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

function claude(model: string, question: string) {
  const program = npmClient(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);
  return runClient(program, ['-p', question, '--model', model, '--dangerously-skip-permissions'], {
    cwd: test.folder,
    env: {
      ANTHROPIC_BASE_URL: test.gateway.url,
      ANTHROPIC_API_KEY: test.key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // As root it skips permissions only in a sandbox.
      IS_SANDBOX: '1',
    },
  });
}

describe('Claude Code, headless', () => {
  it.each([
    ['an upstream with Messages', 'native-claude'],
    ['an upstream with Chat Completions only', 'translated'],
  ])('edits a file through %s', async (_, model) => {
    const path = join(test.folder, `${model}.txt`);
    const tool = { name: 'Write', input: { file_path: path, content: 'written by a tool' } };
    test.upstream.always(turnsOf(tool, 'The file is written.'));
    const { code, output, errors } = await claude(model, `Write ${path}.`);
    expect({ code, output, errors }).toMatchObject({
      code: 0,
      output: expect.stringContaining('The file is written.'),
    });
    expect(await readFile(path, 'utf8')).toBe('written by a tool');
  });
});
