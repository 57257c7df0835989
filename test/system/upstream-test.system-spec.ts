import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerTo, refusal } from '../support/chat-answers.js';
import { Commands } from '../support/commands.js';
import { runCli } from '../support/gateway-process.js';
import { json } from '../support/script.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { createWorkFolder } from '../support/test-settings.js';

const KEY = 'sk-upstream-4f1d9c';

describe('upstream:test', () => {
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  let upstream: ScriptedUpstream;
  const commands = new Commands();
  beforeAll(async () => {
    folder = await createWorkFolder();
    upstream = await ScriptedUpstream.start();
  });
  beforeEach(() => {
    upstream.always(answerTo);
  });

  function run(args: string[], runIn: typeof runCli = (...given) => commands.run(...given)) {
    const variables = {
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      MISTRAL_API_KEY: KEY,
      MISTRAL_BASE_URL: upstream.url,
    };
    return runIn(['upstream:test', ...args], folder.path, { ...folder.variables, ...variables });
  }

  it('makes a JSON and a streamed call to each live upstream and reports the results, without a database', async () => {
    const { code, stdout, stderr } = await run(['--json'], runCli);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const calls = ['openai', 'mistral'].flatMap((name) => [`${name} json`, `${name} stream`]);
    const tests = JSON.parse(stdout) as { upstream: string; kind: string }[];
    expect(tests.map(({ upstream: name, kind }) => `${name} ${kind}`).sort()).toEqual(calls.sort());
    for (const result of tests) {
      expect(result).toMatchObject({ ok: true, error: null, usage: { prompt_tokens: 11, completion_tokens: 3 } });
      expect(result).toMatchObject({ model: expect.any(String), firstTokenMs: expect.any(Number) });
    }
  });

  it('prints a table, of one upstream if it is named', async () => {
    const { code, stdout } = await run(['openai']);
    const [head = '', ...rows] = stdout.trim().split('\n');
    expect(code).toBe(0);
    expect(head.split(/ {2,}/)).toEqual(['upstream', 'call', 'ok', 'model', 'first token ms', 'tokens', 'error']);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
      ['openai', 'json', 'yes'],
      ['openai', 'stream', 'yes'],
    ]);
  });

  it('requests an embedding if the upstream has no chat model', async () => {
    const models = `- { id: embed, kind: embedding, tier: free, displayName: E, description: D, dimensions: 2,
      maxInputTokens: 9, targets: [{ upstream: openai, model: e }] }`;
    const own = await createWorkFolder({ 'models.yaml': models });
    upstream.always(() => json(200, { data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1 } }));
    const variables = { ...own.variables, OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${upstream.url}/v1` };
    const { code, stdout } = await commands.run(['upstream:test', 'openai', '--json'], own.path, variables);
    await own.remove();
    expect(JSON.parse(stdout)).toMatchObject([{ model: 'embed', kind: 'json', ok: true, usage: { prompt_tokens: 1 } }]);
    expect([code, upstream.requests.at(-1)?.path]).toEqual([0, '/v1/embeddings']);
  });

  it("shows the error as a client would see it, with the upstream's status and never the key, and exits with 1", async () => {
    upstream.always(() => refusal(401, `Incorrect API key provided: ${KEY}`));
    const { code, stdout } = await run(['openai', '--json']);
    expect(code).toBe(1);
    expect(stdout).not.toContain(KEY);
    const [first] = JSON.parse(stdout) as unknown[];
    expect(first).toMatchObject({ ok: false, error: expect.stringMatching(/^upstream_error: .*status: 401/) });
  });

  it('says what to set when none is live', async () => {
    const { code, stdout, stderr } = await commands.run(['upstream:test'], folder.path, folder.variables);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('for example OPENAI_API_KEY');
  });

  it('names an upstream that is not live', async () => {
    const { code, stdout, stderr } = await run(['groq']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain("'groq'");
  });
});
