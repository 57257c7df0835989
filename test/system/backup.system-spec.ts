import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folderInSharedState } from '../../src/database/embedded/data-folder.js';
import { completion } from '../support/chat-answers.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
const USERS = ['ada@example.com', 'grace@example.com'];

/** The shell commands of a section of the document, block by block. */
function commandsOf(part: string): string[] {
  const [, text = ''] = DOCUMENT.split(`### ${part}\n`);
  const [section = ''] = text.split(/^##/m);
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands ?? '');
}

/** psql is available if the tests use a PostgreSQL server. */
const hasPsql =
  process.env.TEST_DATABASE_URL !== undefined ||
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, 'psql'));
      return true;
    } catch {
      return false;
    }
  });

describe('the commands of docs/deployment.md, on data below a folder that only root can enter', () => {
  let home: string;
  let upstream: ScriptedUpstream;
  let gateway: GatewayProcess;
  let env: Record<string, string>;
  let keys: string[];
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'gateway-home-'));
    await chmod(home, 0o700);
    upstream = await ScriptedUpstream.start();
    upstream.always(() => completion());
    env = {
      ...{ DATA_DIR: join(home, 'data'), OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test' },
    };
    await writeCommands();
    gateway = await GatewayProcess.start({ env });
    keys = [];
    for (const email of USERS) keys.push(await gateway.createKey(email));
    // An entry of the audit log.
    expect(await gateway.cli('plan:grant', '--email', String(USERS[0]))).toMatchObject({ code: 0 });
    for (let call = 0; call < 30; call++) expect(await complete(keys[call % 2])).toBe(200);
  });
  afterAll(async () => {
    await gateway?.stop();
    await upstream?.close();
    for (const database of databases) await database.drop();
    await rm(home, { recursive: true, force: true });
    await rm(folderInSharedState(join(home, 'data', 'postgres')), { recursive: true, force: true });
  });

  /** `gateway` as in the image, and a `docker` that runs its commands on this machine. */
  async function writeCommands(): Promise<void> {
    await mkdir(join(home, 'bin'));
    const gatewayCommand = `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/gateway.js' "$@"\n`;
    const docker = [
      ...['#!/bin/sh', 'shift', 'case $1 in', 'exec) shift 3; exec "$@" ;;'],
      ...['run) shift 4; exec gateway "$@" ;;', 'stop|start) ;;', '*) exit 9 ;;', 'esac', ''],
    ].join('\n');
    for (const [name, text] of Object.entries({ gateway: gatewayCommand, docker })) {
      await writeFile(join(home, 'bin', name), text, { mode: 0o755 });
    }
  }

  /** Runs commands as written in the document; returns their output. */
  async function run(commands: string | undefined, variables: Record<string, string> = {}): Promise<string> {
    const child = spawn('/bin/sh', ['-euc', String(commands)], {
      cwd: home,
      env: {
        ...{ PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`, HOME: home },
        ...{ ...gateway.folder.variables, ...env, ...variables },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data));
    child.stderr.on('data', (data: Buffer) => (stderr += data));
    const [code] = await once(child, 'close');
    expect({ commands, code, stderr }).toEqual({ commands, code: 0, stderr: '' });
    return stdout;
  }

  async function complete(key: string | undefined, at = gateway): Promise<number> {
    const reply = await fetch(`${at.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    await reply.text();
    return reply.status;
  }

  const restart = async () => {
    gateway = await GatewayProcess.start({ env, folder: gateway.folder });
  };

  /** The lines with the balances: user, key, calls, tokens, cost. */
  const balancesOf = (printed: string) => printed.split('\n').filter((line) => line.includes('@example.com'));

  async function newDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    databases.push(database);
    return database;
  }

  it('Backup: while calls are served, into files that only their owner can read', async () => {
    const [plain, compose, ...others] = commandsOf('Backup');
    expect(others).toEqual([]);
    let isDone = false;
    const statuses = new Set<number>();
    const calling = (async () => {
      while (!isDone) statuses.add(await complete(keys[0]));
    })();
    const printed = await run(plain);
    isDone = true;
    await calling;
    expect([...statuses]).toEqual([200]);
    expect(balancesOf(printed).map((line) => line.split(/ +/)[0])).toEqual(expect.arrayContaining(USERS));
    expect(printed).toMatch(/^table +rows$/m);
    expect(printed).toMatch(/^costNanodollars: [1-9]\d+$/m);
    expect((await stat(join(home, 'gateway-backup.sql.gz'))).mode & 0o777).toBe(0o600);
    await run(compose);
    await expect(run(plain)).rejects.toThrow('gateway-backup.sql.gz already exists. Name a new file.');
  });

  it('Restore: later data is gone, the data of the backup is there, and keys work', async () => {
    const [plain, compose, ...others] = commandsOf('Restore');
    expect(others).toEqual([]);
    await expect(run(plain)).rejects.toThrow('A gateway is running on this database');
    const late = await gateway.createKey('late@example.com');
    await gateway.kill('SIGTERM');
    const refused = run(plain?.replace(' --replace', ''));
    await expect(refused).rejects.toThrow(/The database is not empty: it has 3 users and \d+ calls\./);
    expect(await run(plain)).toMatch(/^replaced: true$/m);
    await restart();
    expect([await complete(late), await complete(keys[0]), await complete(keys[1])]).toEqual([401, 200, 200]);
    await gateway.kill('SIGTERM');
    await run(compose);
    await restart();
    expect(await complete(keys[1])).toBe(200);
    expect(JSON.parse(await run('gateway audit:verify --json'))).toMatchObject({ entries: 1 });
  }, 120_000);

  it('Moving: another Postgres has all data, by `restore` and by psql, and a gateway serves from it', async () => {
    const [own, psql, ...others] = commandsOf('Moving to a Postgres of your own');
    expect(others).toEqual([]);
    await gateway.kill('SIGTERM');
    const database = await newDatabase();
    const [exported = '', restored = ''] = String(own).split(/^(?=DATABASE_URL)/m);
    const before = balancesOf(await run(exported));
    expect(before).toHaveLength(2);
    expect(balancesOf(await run(restored, { NEW_DATABASE_URL: database.url }))).toEqual(before);
    const sums =
      'SELECT key_id, count(*) AS calls, sum(cost_nanodollars) AS cost FROM usage_calls GROUP BY 1 ORDER BY 1';
    const moved = await database.query(sums);
    expect(moved.map(({ cost }) => BigInt(cost) > 0n)).toEqual([true, true]);
    if (hasPsql) {
      const other = await newDatabase();
      await run(psql, { NEW_DATABASE_URL: other.url });
      expect(await other.query(sums)).toEqual(moved);
    }
    const successor = await GatewayProcess.start({ env: { ...env, DATABASE_URL: database.url } });
    expect([await complete(keys[0], successor), await complete(keys[1], successor)]).toEqual([200, 200]);
    await successor.stop();
    await restart();
  }, 120_000);

  it('--json prints one value, only when the backup goes to a file', async () => {
    const { code, stdout, stderr } = await gateway.cli('backup', '--to', join(home, 'by-script.gz'), '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      file: join(home, 'by-script.gz'),
      bytes: (await stat(join(home, 'by-script.gz'))).size,
      tables: { users: 2, api_keys: 2 },
      balances: expect.arrayContaining(USERS.map((email) => expect.objectContaining({ email }))),
    });
    expect(await gateway.cli('export', '--to', '-', '--json')).toMatchObject({
      ...{ code: 1, stdout: '', stderr: 'With --to - standard output is the backup: do not use --json.\n' },
    });
    const missing = await gateway.cli('restore', '--from', join(home, 'no-such-file'));
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/no such file/) });
  });
});
