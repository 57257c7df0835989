import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Commands } from '../support/commands.js';
import { startConsole } from '../support/console-people.js';
import { freePort } from '../support/free-port.js';
import { NODE_OPTIONS, PROCESS_VARIABLES, runCli } from '../support/gateway-process.js';
import { createWorkFolder } from '../support/test-settings.js';

const SCOPES = ['apply', 'plans.write', 'users.write', 'projects.write', 'keys.write', 'limits.write'];
const COMPANY = `
projects:
  search:
    keys:
      filed: { secretFile: filed.key }
      shown: { models: [gpt-6-luna] }
`;

let remote: { GATEWAY_URL: string; GATEWAY_TOKEN: string };
const commands = new Commands();

const { gateway, admin } = await startConsole();
const folder: Awaited<ReturnType<typeof createWorkFolder>> = await createWorkFolder();
const variables: Record<string, string> = { ...folder.variables, DATABASE_URL: gateway.database.url };
const { body } = await admin.post('/api/tokens', { name: 'apply', scopes: SCOPES });
remote = { GATEWAY_URL: `${gateway.url}/`, GATEWAY_TOKEN: body.token };

const at = (name: string) => join(folder.path, name);
const run = (args: string[], more: Record<string, string> = {}, input = '') =>
  commands.run(args, folder.path, { ...variables, ...more }, input);

async function applyFile(content: string, ...args: string[]) {
  await writeFile(at('company.yaml'), content);
  return run(['apply', '--file', 'company.yaml', ...args]);
}

describe('gateway apply', () => {
  it('exits with 2 in a dry run that finds something to do', async () => {
    const { code, stdout } = await applyFile(COMPANY, '--dry-run');
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: '+ project search\n+ key filed of search\n+ key shown of search\n',
    });
    await expect(stat(at('filed.key'))).rejects.toThrow('ENOENT');
  });

  it('writes the secret of a new key to its secretFile, which only its owner can read, and prints the others', async () => {
    const { code, stdout, stderr } = await applyFile(COMPANY);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(3)).toEqual([
      'projects.search.keys.filed: the key is in filed.key',
      expect.stringMatching(/^projects\.search\.keys\.shown: svc_\w{38}$/),
      '',
    ]);
    expect((await stat(at('filed.key'))).mode & 0o777).toBe(0o600);
    const key = (await readFile(at('filed.key'), 'utf8')).trim();
    const { status } = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(status).toBe(200);
  });

  it('has nothing to do the second time', async () => {
    expect(await applyFile(COMPANY)).toMatchObject({ code: 0, stdout: 'No changes.\n' });
    expect(await applyFile(COMPANY, '--dry-run', '--json')).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ dryRun: true, changes: [], keys: [] })}\n`,
    });
  });

  it('never overwrites a secretFile, and changes nothing then', async () => {
    const more = `${COMPANY}      second: { secretFile: second.key }\n      third: { secretFile: filed.key }\n`;
    const { code, stdout, stderr } = await applyFile(more);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'The secretFile filed.key exists already and is not overwritten: move it away. Nothing was changed.\n',
    );
    await expect(stat(at('second.key'))).rejects.toThrow('ENOENT');
    expect((await applyFile(COMPANY, '--dry-run')).stdout).toBe('No changes.\n');
  });

  it('reports every mistake with its line', async () => {
    const { code, stderr } = await applyFile('projects:\n  a: { plan: nowhere }\n  b: { color: red }\n');
    expect(code).toBe(1);
    expect(stderr).toBe(
      "line 2: projects.a.plan names the plan 'nowhere', which does not exist: add it to `plans`.\n" +
        'line 3: projects.b.color is not a known key.\n',
    );
  });

  it('applies what export-config prints without changes', async () => {
    const { stdout } = await run(['export-config']);
    expect(stdout).toContain('search:');
    expect(await run(['apply', '--file', '-'], {}, stdout)).toMatchObject({ code: 0, stdout: 'No changes.\n' });
    expect(JSON.parse((await run(['export-config', '--json'])).stdout)).toHaveProperty('projects.search');
  });
});

describe('gateway apply with GATEWAY_URL', () => {
  it('applies and exports at that gateway', async () => {
    await writeFile(at('remote.yaml'), 'projects: { remote: { keys: { k: { secretFile: remote.key } } } }');
    const nowhere = { ...remote, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const applied = await run(['apply', '--file', 'remote.yaml'], nowhere);
    expect(applied).toEqual({
      code: 0,
      stdout: '+ project remote\n+ key k of remote\nprojects.remote.keys.k: the key is in remote.key\n',
      stderr: '',
    });
    expect(await readFile(at('remote.key'), 'utf8')).toMatch(/^svc_\w{38}\n$/);
    const { stdout } = await run(['export-config'], nowhere);
    expect(stdout).toBe((await run(['export-config'])).stdout);
    expect(await run(['apply', '--file', '-', '--dry-run'], nowhere, 'projects: { more: }')).toMatchObject({
      code: 2,
      stdout: '+ project more\n',
    });
  });

  it('says what is wrong, without the token', async () => {
    await writeFile(at('bad.yaml'), 'users: 5');
    const failed = (more: Record<string, string>) => run(['apply', '--file', 'bad.yaml'], more);
    expect((await failed(remote)).stderr).toBe('line 1: users must be an object, not an integer.\n');
    const wrong = await failed({ ...remote, GATEWAY_TOKEN: 'gat_wrong' });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/^The access token is invalid/);
    expect(wrong.stderr).not.toContain('gat_wrong');
    expect((await failed({ GATEWAY_URL: remote.GATEWAY_URL })).stderr).toMatch(/^Set GATEWAY_TOKEN to an access token/);
    expect((await failed({ ...remote, GATEWAY_URL: 'gateway' })).stderr).toMatch(/^GATEWAY_URL must be the address/);
    const away = await failed({ ...remote, GATEWAY_URL: `http://127.0.0.1:${await freePort()}` });
    expect(away.stderr).toBe('The gateway at GATEWAY_URL cannot be reached (ECONNREFUSED).\n');
  });

  it('answers within 300 ms of processor time', async () => {
    await writeFile(at('remote.yaml'), 'projects: { remote: }');
    const reported = 'process.on("exit",()=>{const{user,system}=process.cpuUsage();console.error((user+system)/1000)})';
    const timed = async () => {
      const bin = resolve(import.meta.dirname, '../../bin/gateway.js');
      const args = [
        ...NODE_OPTIONS,
        '--import',
        `data:text/javascript,${reported}`,
        bin,
        'apply',
        '--file',
        'remote.yaml',
      ];
      const options = { cwd: folder.path, env: { ...PROCESS_VARIABLES, ...remote } };
      return new Promise<number>((done, failed) => {
        execFile(process.execPath, args, options, (error, _stdout, stderr) =>
          error ? failed(error) : done(Number(stderr)),
        );
      });
    };
    // The first one fills the compile cache.
    await timed();
    const times = [await timed(), await timed(), await timed()];
    expect(Math.min(...times)).toBeGreaterThan(10);
    expect(Math.min(...times)).toBeLessThan(300);
  });

  it('leaves the other commands with the database', async () => {
    const { code, stdout } = await runCli(['project:list', '--json'], folder.path, { ...variables, ...remote });
    expect({ code, names: JSON.parse(stdout).map(({ name }: { name: string }) => name) }).toEqual({
      code: 0,
      names: ['search', 'remote'],
    });
  });
});
