import { beforeAll, describe, expect, it } from '@jest/globals';
import { Commands } from '../support/commands.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { createWorkFolder } from '../support/test-settings.js';

const row = (id: string, rest: string) =>
  `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 1000, ${rest} }`;
const target = (upstream: string) => `targets: [{ upstream: ${upstream}, model: m }]`;

const MODELS = [
  row('priced', `price: { inputUsdPerMTok: 1, outputUsdPerMTok: 2 }, ${target('openai')}`),
  row('for-free', `price: free, ${target('openai')}`),
  row('unpriced', target('openai')),
  row('later', target('mistral')),
  row('also-unpriced', target('groq')),
].join('\n');
const WARNING =
  'No price in models.yaml: unpriced, also-unpriced. Their calls count as $0 and no budget covers them: add a price, or price: free.';

describe('models without a price', () => {
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  beforeAll(async () => {
    folder = await createWorkFolder({ 'models.yaml': MODELS });
  });
  const commands = new Commands();

  const env = { OPENAI_API_KEY: 'k', GROQ_API_KEY: 'k' };
  const check = (variables: Record<string, string>, ...args: string[]) =>
    commands.run(['config:check', ...args], folder.path, { ...folder.variables, ...variables });

  it('are listed by config:check if they are live, in one line that is not an error', async () => {
    const { code, stdout, stderr } = await check(env);
    expect([code, stderr]).toEqual([0, `${WARNING}\n`]);
    expect(stdout).toMatch(/^valid: true\n/);
    const asJson = await check(env, '--json');
    const reported = { valid: true, configDir: folder.variables.CONFIG_DIR, models: 5, upstreams: expect.any(Number) };
    expect([asJson.code, asJson.stderr, JSON.parse(asJson.stdout)]).toEqual([0, `${WARNING}\n`, reported]);
    expect(await check({})).toMatchObject({ code: 0, stderr: '' });
  });

  it('are listed in the log at startup', async () => {
    const gateway = await GatewayProcess.start({ folder, env });
    const line = await eventually(() => gateway.log.find(({ msg }) => String(msg).startsWith('No price')));
    expect(line).toMatchObject({ level: 'warn', msg: WARNING });
    await gateway.kill('SIGTERM');
  });
});
