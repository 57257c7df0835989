import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../support/command-line.js';
import { Commands } from '../support/commands.js';
import { eventually } from '../support/eventually.js';
import { CLI, NODE_OPTIONS, PROCESS_VARIABLES } from '../support/gateway-process.js';
import { TestGateway } from '../support/test-gateway.js';
import { createWorkFolder } from '../support/test-settings.js';

type Folder = Awaited<ReturnType<typeof createWorkFolder>>;

const ROOT = resolve(import.meta.dirname, '../..');
const EMAIL = 'ada@example.com';

describe('the command line beside a gateway', () => {
  const commands = new Commands();
  let gateway: TestGateway;
  let folder: Folder;
  let cli: CommandLine;
  beforeAll(async () => {
    [gateway, folder] = await Promise.all([TestGateway.start({ env: { SIMULATOR: 'on' } }), createWorkFolder()]);
    cli = new CommandLine(folder, { DATABASE_URL: gateway.database.url }).inOneProcess(commands);
    await cli.json(`user:create --email ${EMAIL}`);
  });
  afterAll(async () => {
    await folder?.remove();
  });

  const statusOf = async (key: unknown) => (await gateway.get('/v1/models', { authorization: `Bearer ${key}` })).status;

  it('disables, enables, changes and rotates a key by its name or id', async () => {
    const made = await cli.json(`key:create --email ${EMAIL} --name laptop`);
    const which = `--email ${EMAIL} --key laptop`;
    expect(await cli.json(`key:disable ${which}`)).toMatchObject({ id: made.id, status: 'disabled' });
    await eventually(async () => (await statusOf(made.key)) === 401);
    expect(await cli.json(`key:enable --id ${made.id}`)).toMatchObject({ status: 'active' });
    await eventually(async () => (await statusOf(made.key)) === 200);
    const changes = '--note work --models nova-2-lite --addresses 10.0.0.0/8 --expires 2099-01-01 --budget-day 2';
    expect(await cli.json(`key:set ${which} ${changes}`)).toMatchObject({
      ...{ id: made.id, note: 'work', models: ['nova-2-lite'], addresses: ['10.0.0.0/8'], budgetDayUsd: 2 },
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    const undone = await cli.json(`key:set ${which} --name desk --models any --addresses any --expires never`);
    expect(undone).toMatchObject({ name: 'desk', models: null, addresses: null, expiresAt: null, budgetDayUsd: 2 });
    const rotated = await cli.json(`key:rotate --email ${EMAIL} --key desk --overlap none`);
    expect(rotated).toMatchObject({ id: made.id, previousExpiresAt: null });
    await eventually(async () => (await statusOf(made.key)) === 401);
    expect(await statusOf(rotated.key)).toBe(200);
  });

  it('reaches the keys of a project and its service accounts by name', async () => {
    const project = await cli.json('project:create --name search');
    const owner = '--project search --service-account indexer';
    const made = await cli.json(`project:key ${owner} --name nightly`);
    await cli.json('project:key --project search --name nightly');
    expect(await cli.json(`key:disable ${owner} --key nightly`)).toMatchObject({ id: made.id, status: 'disabled' });
    expect(await cli.json('key:list --project search')).toMatchObject([
      { id: made.id, owner: 'indexer', project: 'search' },
      { owner: 'search', project: 'search' },
    ]);
    expect(await cli.json(`project:accounts --project ${project.id}`)).toMatchObject([{ name: 'indexer' }]);
    const account = 'project:account --project search --name Indexer';
    expect(await cli.json(`${account} --status disabled --rename crawler`)).toMatchObject({
      ...{ name: 'crawler', status: 'disabled' },
    });
  });

  it('creates, lists and revokes access tokens of people and of service accounts within their permissions', async () => {
    const reach = async (token: unknown) =>
      (await gateway.get('/api/limits', { authorization: `Bearer ${token}` })).status;
    const made = await cli.json(`token:create --email ${EMAIL} --name deploy --scopes usage.read,keys.read`);
    expect(Object.keys(made)).toEqual(['id', 'token', 'display']);
    expect(await reach(made.token)).toBe(200);
    await cli.json('project:create --name platform');
    await cli.json('project:account --project platform --name terraform');
    const owner = '--service-account platform/terraform';
    const create = `token:create ${owner} --name ci --scopes usage.read --expires 2026-12-31 --addresses 127.0.0.0/8`;
    expect(await cli.reason(create.split(' '))).toContain('does not have the permission usage.read');
    expect(await cli.json(`user:permissions ${owner} --permissions usage.read,users.read`)).toMatchObject({
      permissions: ['users.read', 'usage.read'],
    });
    const ofMachine = await cli.json(create);
    expect(await reach(ofMachine.token)).toBe(200);
    expect(await cli.json(`token:list ${owner}`)).toMatchObject([
      { id: ofMachine.id, owner: 'terraform', scopes: ['usage.read'], addresses: ['127.0.0.0/8'], revokedAt: null },
    ]);
    expect(await cli.json('token:list')).toHaveLength(2);
    expect(await cli.json(`token:revoke --id ${made.id}`)).toMatchObject({ id: made.id, display: made.display });
    expect(await reach(made.token)).toBe(401);
    await cli.json(`user:permissions ${owner} --permissions none`);
    expect(await reach(ofMachine.token)).toBe(403);
    const unknown = `token:create --email ${EMAIL} --name x --scopes everything`;
    expect(await cli.reason(unknown.split(' '))).toContain('keys.read');
  });

  it('creates nothing twice with --if-missing, and prints the existing one', async () => {
    for (const command of [
      'user:create --email twice@example.com',
      'key:create --email twice@example.com --name ci',
      'project:create --name twice',
      'project:key --project twice --service-account robot --name ci',
      'plan:create --plan twice --tiers free',
    ]) {
      const { key, ...made } = await cli.json(`${command} --if-missing`);
      const again = await cli.json(`${command} --if-missing`);
      expect({ command, again }).toEqual({ command, again: { ...made, ...(key !== undefined && { key: null }) } });
    }
  });

  it('changes roles and filters lists', async () => {
    await cli.json('user:create --email root@example.com --role admin');
    await cli.json('user:create --email robot@example.com --service');
    expect(await cli.json(`user:role --email ${EMAIL} --role admin`)).toMatchObject({ email: EMAIL, role: 'admin' });
    await cli.json('user:disable --email root@example.com');
    expect(await cli.reason(['user:role', '--email', EMAIL, '--role', 'member'])).toContain('last administrator');
    const emails = async (filter: string) =>
      (await cli.json<{ email: string }[]>(`user:list ${filter}`)).map(({ email }) => email);
    expect(await emails('--role admin')).toEqual([EMAIL, 'root@example.com']);
    expect(await emails('--role admin --status active')).toEqual([EMAIL]);
    expect(await emails('--kind service --search robot@')).toEqual(['robot@example.com']);
    const { id } = await cli.json(`key:create --email ${EMAIL} --name old-phone`);
    await cli.json(`key:revoke --id ${id}`);
    expect(await cli.json(`key:list --email ${EMAIL} --status revoked --search phone`)).toMatchObject([{ id }]);
    await cli.json('project:create --name finished');
    await cli.json('project:archive --name finished');
    expect(await cli.json('project:list --status archived')).toMatchObject([{ name: 'finished' }]);
  });

  it('changes an e-mail address and forgets a user', async () => {
    const { id } = await cli.json('user:create --email before@example.com');
    const changed = await cli.json('user:email --email before@example.com --to After@example.com');
    expect(changed).toMatchObject({ id, email: 'after@example.com' });
    expect(await cli.reason(['user:forget', '--email', 'after@example.com'])).toContain('--permanently');
    expect(await cli.json('user:forget --email after@example.com --permanently')).toMatchObject({
      ...{ id, status: 'forgotten', email: expect.stringMatching(/^forgotten-[0-9a-f]{8}@forgotten\.invalid$/) },
    });
    expect(await cli.json('audit:verify')).toMatchObject({ entries: expect.any(Number) });
    expect(await cli.json<object[]>('user:list --search after@example.com')).toEqual([]);
  });

  it('prints and exports usage like the console', async () => {
    const user = await gateway.createUser();
    for (const model of ['gpt-6-luna', 'gpt-6-luna', 'nova-2-lite']) {
      const reply = await gateway.complete(user, { model, messages: [{ role: 'user', content: 'Hello' }] });
      expect(reply.status).toBe(200);
      await reply.text();
    }
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const of = `--email ${user.email} --until ${later}`;
    await eventually(async () => (await cli.json<object[]>(`usage:report ${of} --group-by model`)).length === 2);
    const report = await cli.json<Record<string, unknown>[]>(`usage:report ${of} --group-by model`);
    expect(report.map(({ model, requests }) => [model, requests]).sort()).toEqual([
      ['gpt-6-luna', 2],
      ['nova-2-lite', 1],
    ]);
    expect(await cli.json(`usage:report ${of}`)).toMatchObject([{ calls: 'All', requests: 3 }]);
    const file = join(folder.path, 'calls.csv');
    const written = await cli.json(`usage:export ${of} --kind calls --to ${file}`);
    const text = await readFile(file, 'utf8');
    expect(written).toEqual({ file, bytes: Buffer.byteLength(text) });
    expect(text.trimEnd().split('\r\n')).toHaveLength(4);
    expect(text).toMatch(/^\uFEFF?startedAt,id,requestId,/);
  });

  it('exports the audit log, and records the export', async () => {
    const file = join(folder.path, 'audit.json');
    await cli.json(`audit:export --action user.create --format json --to ${file}`);
    const entries: { action: string }[] = JSON.parse(await readFile(file, 'utf8'));
    expect(entries.length).toBeGreaterThan(1);
    expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(['user.create']));
    const [newest] = await gateway.database.query('SELECT action, actor_kind FROM audit_log ORDER BY id DESC LIMIT 1');
    expect(newest).toEqual({ action: 'audit.export', actor_kind: 'command_line' });
  });

  it('ends quietly when the reader of its output has gone', async () => {
    await gateway.database.query(
      "INSERT INTO users (email, name) SELECT 'many-' || n || '@example.com', repeat('x', 90) FROM generate_series(1, 5000) AS n",
    );
    const env = { ...PROCESS_VARIABLES, ...folder.variables, DATABASE_URL: gateway.database.url };
    const child = spawn(process.execPath, [...NODE_OPTIONS, CLI, 'user:list'], { cwd: folder.path, env });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data));
    child.stdout.once('data', () => child.stdout.destroy());
    await once(child, 'close');
    expect([child.exitCode, stderr]).toEqual([141, '']);
  });
});

describe('a command without DATABASE_URL and DATA_DIR', () => {
  let folder: Folder;
  let installation: string;
  beforeAll(async () => {
    folder = await createWorkFolder();
    installation = join(folder.path, 'installation');
    await mkdir(installation);
    // Gateways of other tests run from the original.
    await cp(join(ROOT, 'dist'), join(installation, 'dist'), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(installation, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(installation, 'node_modules'));
    await mkdir(join(folder.path, 'elsewhere'));
  });
  afterAll(() => folder?.remove());

  function start(program: string, args: string[], cwd: string, variables: Record<string, string>) {
    const child = spawn(process.execPath, [...NODE_OPTIONS, join(installation, 'dist', program), ...args], {
      cwd,
      env: { ...PROCESS_VARIABLES, ...variables },
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (data: Buffer) => (output.stdout += data));
    child.stderr.on('data', (data: Buffer) => (output.stderr += data));
    return { child, output };
  }

  async function run(...args: string[]) {
    const { child, output } = start('cli/main.js', args, join(folder.path, 'elsewhere'), {});
    await once(child, 'close');
    return { code: child.exitCode, ...output };
  }

  it('finds the database of the running gateway, and makes none', async () => {
    // The gateway's own folder has config/ and data/, its defaults.
    const { child, output } = start('main.js', [], folder.path, { PORT: '0', SIMULATOR: 'on' });
    try {
      await eventually(() => output.stdout.includes('Listening on'), 60_000);
      const created = await run('user:create', '--email', EMAIL, '--json');
      expect(created).toMatchObject({
        code: 0,
        stderr: `Using the configuration of the running gateway (process ${child.pid}).\n`,
      });
      expect(JSON.parse((await run('user:list', '--json')).stdout)).toMatchObject([{ email: EMAIL }]);
      expect(await readdir(join(folder.path, 'elsewhere'))).toEqual([]);
    } finally {
      child.kill('SIGINT');
      await once(child, 'close');
    }
  });

  it('is refused when none runs', async () => {
    const { code, stdout, stderr } = await run('user:list', '--json');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/There is no database in .+elsewhere\/data\/postgres, and no gateway runs from here/);
  });
});
