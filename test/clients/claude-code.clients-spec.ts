import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { otherRefusals } from '../support/strict/bound-signature.js';
import { type TurnPlan, toolLoop } from '../support/strict/turn.js';
import { ClientTest } from './support/client-test.js';
import { npmClient, runClient } from './support/run-client.js';

const ANSWER = 'The task is done.';
const TARGETS = [
  ['an upstream with Messages', 'native-claude'],
  ['an upstream with Responses', 'native-gpt'],
  ['an upstream with Chat Completions only', 'translated'],
] as const;

let test: ClientTest;
beforeAll(async () => {
  test = await ClientTest.start();
});
beforeEach(() => {
  test.upstream.refusals.length = 0;
  test.upstream.server.requests.length = 0;
});

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

/** The first turn that has tools is answered by `first`, the others by the plan. */
function afterFirst(first: TurnPlan, plan: TurnPlan): TurnPlan {
  let isFirst = true;
  return (request) => {
    if (!isFirst || request.tools.length === 0) return plan(request);
    isFirst = false;
    return first(request);
  };
}

describe('Claude Code, headless', () => {
  it.each(TARGETS)('edits two files in two turns through %s', async (_, model) => {
    const paths = [1, 2].map((number) => join(test.folder, `${model}-${number}.txt`));
    const writes = paths.map((path) => ({ name: 'Write', input: { file_path: path, content: 'written by a tool' } }));
    test.upstream.follow(toolLoop(writes, ANSWER));
    const { code, output, errors } = await claude(model, 'Do the task.');
    expect({ code, output, errors, refusals: otherRefusals(test.upstream.refusals) }).toMatchObject({
      code: 0,
      output: expect.stringContaining(ANSWER),
      refusals: [],
    });
    for (const path of paths) expect(await readFile(path, 'utf8')).toBe('written by a tool');
  });

  it.each(TARGETS)('does not run a call that was cut through %s', async (_, model) => {
    const call = { name: 'Bash', input: { command: 'touch ran; echo the end of the command is missing' } };
    const cut = { reasoning: 'I remove it.', text: '', calls: [call], isCut: true };
    test.upstream.follow(afterFirst(() => cut, toolLoop([], ANSWER)));
    const { output, errors } = await claude(model, 'Do the task.');
    expect({ output, errors }).toMatchObject({ output: expect.stringContaining(ANSWER) });
    await expect(access(join(test.folder, 'ran'))).rejects.toThrow('ENOENT');
  });

  it.each(TARGETS)('compacts or says that the prompt is too long through %s', async (_, model) => {
    const message =
      model === 'native-claude'
        ? 'prompt is too long: 1200000 tokens > 1000000 maximum'
        : "This model's maximum context length is 1000000 tokens. However, your messages resulted in 1200000 tokens. Please reduce the length of the messages.";
    test.upstream.follow(() => ({ status: 400, message, code: 'context_length_exceeded', param: 'input' }));
    const { output, errors } = await claude(model, 'Do the task.');
    expect(output + errors).toMatch(/prompt is too long|context/i);
  });
});
