import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { otherRefusals } from '../support/strict/bound-signature.js';
import { type TurnCall, toolLoop } from '../support/strict/turn.js';
import { ClientTest } from './support/client-test.js';
import { npmClient, runClient } from './support/run-client.js';

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const ANSWER = 'The task is done.';
const TARGETS = [
  ['an upstream with Responses', 'native-gpt'],
  ['an upstream with Messages', 'native-claude'],
  ['an upstream with Chat Completions only', 'translated'],
] as const;

let test: ClientTest;
beforeAll(async () => {
  test = await ClientTest.start();
});
beforeEach(() => {
  test.upstream.refusals.length = 0;
});

async function codex(model: string, question: string, hooks: object = {}) {
  const home = join(test.folder, 'codex');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'hooks.json'), JSON.stringify({ hooks }));
  const provider = `{ name = "Gateway", base_url = "${test.gateway.url}/v1", env_key = "GATEWAY_KEY", wire_api = "responses" }`;
  const settings = ['-c', 'model_provider=gateway', '-c', `model_providers.gateway=${provider}`];
  const freely = [
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    '--dangerously-bypass-hook-trust',
  ];
  return runClient(
    process.execPath,
    [npmClient('@openai/codex/bin/codex.js'), 'exec', ...freely, ...settings, '-m', model, question],
    {
      cwd: test.folder,
      env: { CODEX_HOME: home, GATEWAY_KEY: test.key },
    },
  );
}

/** Codex calls these tools one after the other and then answers. */
async function finishes(model: string, calls: readonly TurnCall[], hooks: object = {}): Promise<void> {
  test.upstream.follow(toolLoop(calls, ANSWER));
  const { code, output, errors } = await codex(model, 'Do the task.', hooks);
  expect({ code, output, errors, refusals: otherRefusals(test.upstream.refusals) }).toMatchObject({
    code: 0,
    output: expect.stringContaining(ANSWER),
    refusals: [],
  });
}

const writes = (file: string): TurnCall => ({
  name: 'exec_command',
  input: { cmd: `printf 'written by a tool' > ${file}` },
});

describe('Codex, headless', () => {
  it('edits a file under the name of a model for which it offers its tools in the conversation', async () => {
    const cmd = "printf 'written by a tool' > known.txt";
    const input = `text(await tools.exec_command({ cmd: ${JSON.stringify(cmd)} }));`;
    await finishes('gpt-5.6-terra', [{ name: 'functions__exec', input: { input } }]);
    expect(await readFile(join(test.folder, 'known.txt'), 'utf8')).toBe('written by a tool');
  });

  it.each(TARGETS)('edits two files in two turns through %s', async (_, model) => {
    await finishes(model, [writes(`${model}-1.txt`), writes(`${model}-2.txt`)]);
    for (const file of [`${model}-1.txt`, `${model}-2.txt`]) {
      expect(await readFile(join(test.folder, file), 'utf8')).toBe('written by a tool');
    }
  });

  it.each(TARGETS)('looks at an image through %s', async (_, model) => {
    const path = join(test.folder, 'red.png');
    await writeFile(path, Buffer.from(PNG, 'base64'));
    await finishes(model, [{ name: 'view_image', input: { path } }]);
    expect(test.upstream.server.requests.at(-1)?.body).toContain(PNG.slice(0, 60));
  });

  it.each(TARGETS)('goes on after a hook that adds a message to a call through %s', async (_, model) => {
    const hook = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'The hook has looked at the call.' },
    };
    await writeFile(join(test.folder, 'hook.json'), JSON.stringify(hook));
    const command = `cat ${join(test.folder, 'hook.json')}`;
    await finishes(model, [writes(`${model}-hook.txt`)], {
      PreToolUse: [{ matcher: '.*', hooks: [{ type: 'command', command }] }],
    });
    expect(test.upstream.server.requests.at(-1)?.body).toContain('The hook has looked at the call.');
  });

  it.each([
    ['an upstream with Responses', 'native-gpt'],
    ['an upstream with Messages', 'native-claude'],
    ['an upstream with Chat Completions only', 'translated'],
  ])('says that the context is full through %s', async (_, model) => {
    const message =
      model === 'native-claude'
        ? 'prompt is too long: 1200000 tokens > 1000000 maximum'
        : "This model's maximum context length is 1000000 tokens. However, your messages resulted in 1200000 tokens. Please reduce the length of the messages.";
    test.upstream.follow(() => ({ status: 400, message, code: 'context_length_exceeded', param: 'input' }));
    const { output, errors } = await codex(model, 'Do the task.');
    expect(output + errors).toMatch(/ran out of room in the model's context window|context window/i);
  });
});
