import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { answerTo, refusal } from '../support/chat-answers.js';
import { ConsoleClient } from '../support/console-client.js';
import { eventually } from '../support/eventually.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { coreSeconds, processesOn } from '../support/processes.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';

const SECRET = 'sk-upstream-secret-0123456789';
const PROMPT = 'the words of a prompt';
const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: PROMPT }] };

describe('a gateway that starts on its embedded database', () => {
  let upstream: ScriptedUpstream;
  let gateway: GatewayProcess;
  let key: string;
  const env = () => ({ OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: SECRET });
  const messages = () => gateway.log.map(({ msg }) => String(msg));
  const complete = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    upstream.always((request) => answerTo(request));
    gateway = await GatewayProcess.start({ env: env() });
  });

  it('listens on a free port for PORT=0 and logs it', () => {
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  });

  it('logs the addresses of console and API, live upstreams and simulated models', async () => {
    await eventually(() => messages().some((line) => line.startsWith('Simulated')));
    expect(messages()).toEqual(
      expect.arrayContaining([
        `Console    ${gateway.url}/`,
        `Base URL   ${gateway.url}/v1`,
        'Upstreams  openai',
        'Simulated  nothing',
      ]),
    );
    const [commit = ''] =
      /(?<=\+)[0-9a-f]{12}(-dirty)?$/.exec(String(messages().find((line) => line.startsWith('Version')))) ?? [];
    expect(commit).toBe(readFileSync('dist/commit', 'utf8'));
  });

  it('logs the file with the link to create the first administrator, readable only by its owner, and no key', async () => {
    const line = await eventually(() => messages().find((message) => message.startsWith('Set up')));
    const file = join(gateway.folder.path, 'data', 'setup-link');
    expect(line).toBe(`Set up     with the link in ${file}, within an hour`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const first = readFileSync(file, 'utf8');
    expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup#[\w-]{43}\n$/);
    const { link } = JSON.parse((await gateway.cli('setup:link', '--json')).stdout);
    expect(readFileSync(file, 'utf8')).toBe(`${link}\n`);
    const [origin, token = ''] = link.split('/setup#');
    expect([origin, first.includes(token)]).toEqual([gateway.url, false]);
    for (const shown of [token, first.trim().split('#')[1]]) expect(gateway.output).not.toContain(shown);
    const admin = { email: 'you@example.com', name: 'You', password: 'correct horse battery' };
    const { status } = await ConsoleClient.of(gateway).post('/api/setup', { token, ...admin });
    expect(status).toBe(200);
    const { stdout } = await gateway.cli('key:create', '--email', admin.email, '--name', 'first', '--json');
    key = JSON.parse(stdout).key;
    expect((await complete(HELLO)).status).toBe(200);
    expect(gateway.output).not.toContain('svc_');
  });

  it('rejects a second gateway on the same folder, and keeps running', async () => {
    const second = await GatewayProcess.start({ folder: gateway.folder, env: env(), eager: true });
    expect(await second.ended()).toBe(1);
    expect(second.stderr).toMatch(
      /^The gateway cannot start: another gateway is already running on the data folder .+\n$/,
    );
    expect((await complete(HELLO)).status).toBe(200);
  });

  it('logs one JSON object a line, without keys, prompts and credentials', async () => {
    const mistyped = `svc_${'a'.repeat(36)}`;
    upstream.enqueue(refusal(400, `Your key ${SECRET} cannot do that: ${PROMPT}`));
    await complete({ ...HELLO, temperature: 7 });
    await complete(HELLO);
    await complete({ ...HELLO, stream: true }).then((response) => response.text());
    await complete(HELLO, { authorization: `Bearer ${mistyped}` });
    await fetch(`${gateway.url}/v1/${key}?key=${key}`);
    const last = await eventually(() => gateway.log.find(({ msg, status }) => msg === 'request' && status === 404));
    for (const line of gateway.log) {
      expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String), msg: expect.any(String) });
    }
    expect(last).toMatchObject({ requestId: expect.stringMatching(/^req_/), method: 'GET', ms: expect.any(Number) });
    for (const secret of [key, key.slice(4, 30), mistyped, SECRET, PROMPT])
      expect(gateway.output).not.toContain(secret);
  });

  it('starts warm with less than three seconds of a core, and has no set-up link once there is an administrator', async () => {
    expect(await gateway.kill('SIGTERM')).toBe(0);
    gateway = await GatewayProcess.start({ folder: gateway.folder, env: env() });
    expect(coreSeconds(Number(gateway.child.pid))).toBeLessThan(3);
    await eventually(() => messages().some((line) => line.startsWith('Simulated')));
    expect(messages().filter((line) => line.startsWith('Set up'))).toEqual([]);
    expect(existsSync(join(gateway.folder.path, 'data', 'setup-link'))).toBe(false);
    expect((await complete(HELLO)).status).toBe(200);
  });

  it('recovers when its Postgres was killed', async () => {
    const file = join(gateway.folder.path, 'data/postgres/pg18/postmaster.pid');
    const postgres = () => (existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0);
    const killed = postgres();
    process.kill(killed, 'SIGKILL');
    await eventually(() => postgres() > 0 && postgres() !== killed);
    await eventually(async () => (await fetch(`${gateway.url}/health/ready`)).ok);
    await eventually(async () => (await complete(HELLO)).ok);
  });
});

describe('a gateway that cannot start', () => {
  it('reports every error in its configuration and exits with 1', async () => {
    const gateway = await GatewayProcess.start({
      eager: true,
      env: { PORT: '99999', SIMULATOR: 'perhaps', LOG_LEVEL: 'loud' },
      config: {
        'gateway.yaml': 'server: { bodyLimit: huge }\nretries: { attempts: 3 }',
        'upstreams.yaml': 'openai: { protocol: opnai, baseUrl: "https://api.example.com" }',
      },
    });
    expect(await gateway.ended()).toBe(1);
    expect(gateway.stdout).toBe('');
    expect(gateway.stderr.startsWith('The configuration contains errors:\n')).toBe(true);
    for (const fault of [
      /environment: PORT must be/,
      /environment: SIMULATOR must be/,
      /environment: LOG_LEVEL must be/,
      /gateway\.yaml:1: server\.bodyLimit must be/,
      /gateway\.yaml:2: retries is not a known key/,
      /upstreams\.yaml:1: openai\.protocol must be one of/,
    ]) {
      expect(gateway.stderr).toMatch(fault);
    }
    await gateway.folder.remove();
  });

  it('reports that its port is taken, and leaves no database running', async () => {
    const upstream = await ScriptedUpstream.start();
    const gateway = await GatewayProcess.start({ eager: true, env: { PORT: String(upstream.port) } });
    expect(await gateway.ended()).toBe(1);
    expect(gateway.stderr).toMatch(/^The gateway cannot start: listen EADDRINUSE.*\n$/);
    expect(processesOn(gateway.folder.path)).toEqual([]);
    await upstream.close();
    await gateway.folder.remove();
  });
});
