import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { answerTo } from '../support/chat-answers.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { modelsFile } from '../support/routing-test.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';

const WORKERS = 2;
const CALLS = 40;
const models = (...ids: string[]) =>
  modelsFile(Object.fromEntries(ids.map((id) => [id, 'targets: [{ upstream: openai, model: m }]'])));

describe('a gateway of several processes whose files change', () => {
  let upstream: ScriptedUpstream;
  let gateway: GatewayProcess;
  let key: string;
  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    upstream.always((received) => answerTo(received));
    gateway = await GatewayProcess.start({
      env: { WORKERS: String(WORKERS), OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' },
      // A busy machine's loop may lag: no call may be rejected for that here.
      config: { 'models.yaml': models('first'), 'gateway.yaml': 'overload: { maxLoopDelay: 1m }' },
    });
    key = await gateway.createKey();
  });

  const write = (name: string, text: string) => writeFile(join(gateway.folder.path, 'config', name), text);
  const lines = (part: string) => gateway.log.filter(({ msg }) => String(msg).includes(part));
  const workersOf = (part: string) => new Set(lines(part).map(({ worker }) => worker));
  /** Enough calls on separate connections for each process to get some. */
  const statusesOf = async (model: string): Promise<Set<number>> => {
    const call = async () => {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      await response.arrayBuffer();
      return response.status;
    };
    return new Set(await Promise.all(Array.from({ length: CALLS }, call)));
  };

  it('reloads them in all processes after kill -HUP of the first one', async () => {
    expect(await statusesOf('second')).toEqual(new Set([404]));
    await write('models.yaml', models('first', 'second'));
    process.kill(gateway.child.pid ?? 0, 'SIGHUP');
    await eventually(() => workersOf('The configuration was reloaded.').size === WORKERS);
    expect(await statusesOf('second')).toEqual(new Set([200]));
    expect(gateway.child.exitCode).toBeNull();
  });

  it('logs errors in each process, and the command line fails with them', async () => {
    await write('models.yaml', `${models('first', 'third')}- { id: broken }\n`);
    const { code, stdout, stderr } = await gateway.cli('config:reload', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('(model broken): targets is required');
    await eventually(() => workersOf('nothing was changed').size === WORKERS);
    const [line] = lines('nothing was changed');
    expect(line).toMatchObject({ level: 'error', cause: 'command', faults: expect.anything() });
    expect(JSON.stringify(line)).toContain('targets');
    expect(await statusesOf('second')).toEqual(new Set([200]));
    expect(await statusesOf('third')).toEqual(new Set([404]));
  });

  it('names the sections that need a restart', async () => {
    await write('models.yaml', models('first', 'second'));
    await write('gateway.yaml', 'overload: { maxCalls: 7 }\nserver: { bodyLimit: 1mb }\nretry: { attempts: 4 }\n');
    expect((await gateway.cli('config:reload', '--json')).code).toBe(0);
    await eventually(() => workersOf('need a restart: server, overload.').size === WORKERS);
  });
});
