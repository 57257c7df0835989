import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyPassword } from '../../src/accounts/passwords.js';
import { isApiKey } from '../../src/auth/api-key.secret.js';
import { CommandLine } from '../support/command-line.js';
import { Commands } from '../support/commands.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { createWorkFolder } from '../support/test-settings.js';

type Folder = Awaited<ReturnType<typeof createWorkFolder>>;

const EMAIL = 'ada@example.com';
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const commands = new Commands();

/** Every command once, with `--json`, as a script would use them. */
async function everyCommand(cli: CommandLine): Promise<void> {
  expect(await cli.json('setup:link')).toEqual({ link: expect.stringMatching(/^http:.+\/setup#[\w-]{43}$/) });
  const user = await cli.json(
    `user:create --email ${EMAIL.toUpperCase()} --role admin --password-stdin`,
    'a long password\n',
  );
  expect(user).toEqual({ id: UUID, email: EMAIL, role: 'admin', kind: 'person', status: 'active', createdAt: ISO });
  const service = await cli.json('user:create --email robot@example.com --service');
  expect(service).toMatchObject({ kind: 'service', role: 'member' });
  expect(await cli.json('user:list')).toEqual([user, service]);
  const password = await cli.json(`user:password --email ${EMAIL}`);
  expect(password).toEqual({ id: user.id, email: EMAIL, password: expect.stringMatching(/^[\w-]{20}$/) });
  expect(await cli.reason(['setup:link'])).toContain('Setup is complete');
  expect(await cli.reason(['user:disable', '--email', EMAIL])).toMatch(
    /is the last administrator. .+ add --force\.\n$/,
  );
  expect(await cli.json(`user:disable --email ${EMAIL} --force`)).toEqual({ ...user, status: 'disabled' });
  expect(await cli.json(`user:enable --email ${EMAIL}`)).toEqual(user);
  const granted = { email: EMAIL, plan: 'pro', startsAt: ISO, endsAt: '2099-12-31T00:00:00.000Z' };
  expect(await cli.json(`plan:grant --email ${EMAIL} --until 2099-12-31`)).toEqual(granted);
  expect(await cli.json(`plan:revoke --email ${EMAIL}`)).toEqual({ email: EMAIL, ended: 1 });
  const key = await cli.json(`key:create --email ${EMAIL} --name laptop --expires 2099-01-01T00:00+01:00`);
  expect(key).toEqual({ id: UUID, key: expect.any(String), display: expect.stringMatching(/^svc_\w{4}…\w{4}$/) });
  expect(isApiKey(String(key.key))).toBe(true);
  expect(await cli.json(`key:revoke --id ${key.id}`)).toEqual({ id: key.id, display: key.display, status: 'revoked' });
  expect(await cli.json('key:list')).toEqual([
    {
      ...{
        id: key.id,
        owner: EMAIL,
        project: null,
        name: 'laptop',
        display: key.display,
        status: 'revoked',
        createdAt: ISO,
      },
      ...{ expiresAt: '2098-12-31T23:00:00.000Z', lastUsedAt: null, models: null, addresses: null },
    },
  ]);
  const proof = await cli.json('audit:verify');
  expect(proof).toEqual({ entries: expect.any(Number), head: expect.stringMatching(/^\d+:[0-9a-f]{64}$/) });
  expect(await cli.json(`audit:verify --since ${proof.head}`)).toEqual(proof);
  const other = String(proof.head).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  expect(await cli.reason(['audit:verify', '--since', other])).toContain('The audit log was altered');
  expect(await cli.json('config:check')).toMatchObject({ valid: true, models: 17, upstreams: 9 });
}

describe('on the embedded database, with only DATA_DIR', () => {
  let gateway: GatewayProcess;
  let cli: CommandLine;
  let key: string;
  beforeAll(async () => {
    gateway = await GatewayProcess.start({ env: { SIMULATOR: 'on' } });
    cli = new CommandLine(gateway.folder);
  });

  it('commands read, write, verify and end while the gateway runs', async () => {
    expect(await cli.json('setup:link')).toEqual({ link: expect.stringMatching(/^http:.+\/setup#[\w-]{43}$/) });
    const user = await cli.json(`user:create --email ${EMAIL} --role admin --password-stdin`, 'a long password\n');
    const service = await cli.json('user:create --email robot@example.com --service');
    expect(await cli.json('user:list')).toEqual([user, service]);
    expect(await cli.json('audit:verify')).toMatchObject({ entries: expect.any(Number) });
    expect(await cli.json('config:check')).toMatchObject({ valid: true });
    expect(await cli.reason(['user:create', '--email', EMAIL])).toContain('already');
  });

  it('a key can be used immediately', async () => {
    ({ key } = await cli.json<{ key: string }>(`key:create --email ${EMAIL} --name now --models nova-2-lite`));
    const reply = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(await reply.json()).toMatchObject([{ id: 'nova-2-lite' }]);
  });

  it('the same commands work on the same data when the gateway does not run, and the gateway then sees the changes', async () => {
    await gateway.kill('SIGTERM');
    expect(await cli.json('user:list')).toMatchObject([{ email: EMAIL }, {}]);
    await cli.json('user:disable --email robot@example.com');
    const made = await cli.json<{ key: string }>(`key:create --email ${EMAIL} --name later`);
    gateway = await GatewayProcess.start({ folder: gateway.folder, env: { SIMULATOR: 'on' } });
    for (const [one, models] of [
      [key, 1],
      [made.key, 7],
    ] as const) {
      const reply = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${one}` } });
      expect(await reply.json()).toHaveLength(models);
    }
  });

  it('a gateway that was killed does not block later commands', async () => {
    await gateway.kill('SIGKILL');
    expect(await cli.json('key:list')).toHaveLength(2);
  });
});

describe('on the database of DATABASE_URL', () => {
  let database: TestDatabase;
  let folder: Folder;
  let own: CommandLine;
  let cli: CommandLine;
  beforeAll(async () => {
    [database, folder] = await Promise.all([createTestDatabase(), createWorkFolder()]);
    own = new CommandLine(folder, { DATABASE_URL: database.url });
    cli = own.inOneProcess(commands);
  });
  afterAll(async () => {
    await folder?.remove();
  });

  it('every command works, also on an empty database', async () => {
    await everyCommand(cli);
  });

  it('a command without --json prints the same result for people', async () => {
    const texts = await Promise.all([
      cli.text('user:create --email text@example.com'),
      cli.text('user:list'),
      cli.text('key:list'),
      cli.text(`plan:grant --email ${EMAIL}`),
      cli.text('config:check'),
    ]);
    expect(texts).toEqual([
      expect.stringMatching(
        /^id: \S+\nemail: text@example\.com\nrole: member\nkind: person\nstatus: active\ncreatedAt: .+\n\nNobody .+`user:password --email text@example\.com`/,
      ),
      expect.stringMatching(/^id +email +role +kind +status +createdAt\n/),
      expect.stringMatching(
        /^id +name +display +models +addresses +status +createdAt +expiresAt +lastUsedAt +owner +project\n/,
      ),
      expect.stringMatching(/^email: ada@example\.com\nplan: pro\nstartsAt: \S+Z\nendsAt: -\n$/),
      expect.stringMatching(/^valid: true\n/),
    ]);
  });

  it('a password is read from the first line of standard input, and only its argon2id hash is stored', async () => {
    expect(
      await cli.json(`user:password --email ${EMAIL} --password-stdin`, 'pässword with späces \r\nmore\n'),
    ).toEqual({
      id: UUID,
      email: EMAIL,
    });
    const [row] = await database.query('SELECT password_hash FROM users WHERE email = $1', [EMAIL]);
    expect(await verifyPassword('pässword with späces ', row?.password_hash)).toBe(true);
  });

  it('a new password ends the wait after too many wrong ones, only for this account', async () => {
    const [mine, other] = [EMAIL, 'other@example.com'].map((email) =>
      createHash('sha256').update(email).digest('base64url'),
    );
    const keys = [`account:${mine}`, `pair:${mine}:192.0.2.1`, `known:${mine}:192.0.2.1`, `account:${other}`];
    await database.query('INSERT INTO sign_in_limits (key, points) SELECT unnest($1::text[]), 100', [keys]);
    await cli.json(`user:password --email ${EMAIL}`);
    const left = await database.query<{ key: string }>('SELECT key FROM sign_in_limits');
    expect(left.map(({ key }) => key).sort()).toEqual([`account:${other}`, `known:${mine}:192.0.2.1`].sort());
  });

  it('invalid commands fail with the reason', async () => {
    const wrong: [args: string[], reason: string, input?: string][] = [
      [['user:create'], '--email'],
      [['user:create', '--email', EMAIL], 'already'],
      [['user:create', '--email', 'x@y', '--role', 'root'], 'admin, member'],
      [['user:create', '--email', 'x@y', '--password-stdin'], '12 to 1024'],
      [['user:password', '--email', 'x@y'], 'no user'],
      [['user:disable', '--email', 'x@y'], 'no user'],
      [['user:enable', '--email', ''], 'e-mail address'],
      [['user:list', 'all'], 'too many arguments'],
      [['plan:grant', '--email', EMAIL, '--plan', 'gold'], "'gold'"],
      [['plan:grant', '--email', EMAIL, '--until', '2020-01-01'], 'future'],
      [['plan:revoke'], '--email'],
      [['key:create', '--email', EMAIL, '--name', 'n', '--expires', 'soon'], 'ISO 8601'],
      [['key:create', '--email', EMAIL, '--name', 'n', '--models', 'nova-2-lite,nova-heavy'], 'nova-heavy'],
      [['key:create', '--email', EMAIL, '--name', 'n', '--addresses', '10.0.0.0/8,10.0.0.0/33'], "'10.0.0.0/33'"],
      [['key:revoke', '--id', "1' OR '1'='1"], 'no key'],
      [['key:list', '--format', 'csv'], 'unknown option'],
      [['restore', '--from', 'nothing.gz'], 'nothing.gz cannot be read: no such file or folder.'],
      [['restore', '--from', 'config'], 'config cannot be read: it is a folder.'],
      [['backup', '--to', 'no/where.gz'], 'no/where.gz cannot be written: no such file or folder.'],
      [['key:rotate'], '--id or --key'],
      [['key:disable', '--key', 'n', '--email', EMAIL], 'no key named n'],
      [['project:key', '--project', 'x', '--name', 'n'], 'does not exist'],
      [['usage:report', '--zone', 'Mars'], 'IANA'],
      [['keys'], 'unknown command'],
      [[], 'Usage'],
    ];
    const fails = async ([args, reason, input]: (typeof wrong)[number]) => {
      const asJson = args.length > 0 ? [...args, '--json'] : args;
      const inFiles = /^(backup|restore)$/.test(args[0] ?? '');
      expect([args, await (inFiles ? own : cli).reason(asJson, input)]).toEqual([
        args,
        expect.stringContaining(reason),
      ]);
    };
    for (const one of wrong) await fails(one);
  });

  it('a user cannot have more live keys than `keys.perUser`', async () => {
    const strict = await createWorkFolder({ 'gateway.yaml': 'keys: { perUser: 1 }' });
    const strictCli = new CommandLine(strict, { DATABASE_URL: database.url }).inOneProcess(commands);
    const email = 'few-keys@example.com';
    await strictCli.json(`user:create --email ${email}`);
    const { id } = await strictCli.json(`key:create --email ${email} --name one`);
    const another = ['key:create', '--email', email, '--name', 'two'];
    expect(await strictCli.reason(another)).toMatch(/already has 1 live API keys.*Revoke one.*`keys\.perUser`/);
    await strictCli.json(`key:revoke --id ${id}`);
    expect(await strictCli.json(another.join(' '))).toMatchObject({ key: expect.stringMatching(/^svc_/) });
    await strict.remove();
  });

  it('a key cannot live longer than the policy allows', async () => {
    const strict = await createWorkFolder({ 'gateway.yaml': 'keyPolicy: { maxLifetime: 30d }' });
    const strictCli = new CommandLine(strict, { DATABASE_URL: database.url }).inOneProcess(commands);
    const create = ['key:create', '--email', EMAIL, '--name', 'short'];
    expect(await strictCli.reason([...create, '--expires', '2099-01-01'])).toContain('must expire before');
    const { id } = await strictCli.json(create.join(' '));
    const [row] = await database.query('SELECT expires_at FROM api_keys WHERE id = $1', [id]);
    expect(Math.round((row?.expires_at.getTime() - Date.now()) / 86_400_000)).toBe(30);
    await strict.remove();
  });
});

describe('a command that cannot reach its database or read its configuration', () => {
  let folder: Folder;
  beforeAll(async () => {
    folder = await createWorkFolder({ 'gateway.yaml': 'stream: { hartbeat: 1s }' });
  });
  afterAll(() => folder?.remove());

  it('reports the reason without the password', async () => {
    const working = await createWorkFolder();
    for (const url of [
      'postgres://u:hunter2@127.0.0.1:1/x',
      'postgres://u:hunter2@nowhere.invalid/x',
      'mysql://u:hunter2@h/x',
    ]) {
      const reason = await new CommandLine(working, { DATABASE_URL: url })
        .inOneProcess(commands)
        .reason(['user:list', '--json']);
      expect(reason).toMatch(/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|DATABASE_URL/);
      expect(reason).not.toContain('hunter2');
    }
    await working.remove();
  });

  it('config:check prints the mistakes as JSON with --json, and fails', async () => {
    const { code, stdout, stderr } = await new CommandLine(folder)
      .inOneProcess(commands)
      .run(['config:check', '--json']);
    expect([code, stderr]).toEqual([1, '']);
    const fault = { file: expect.stringMatching(/gateway\.yaml$/), line: 1, model: null, key: 'stream.hartbeat' };
    expect(JSON.parse(stdout)).toEqual({ valid: false, faults: [{ ...fault, problem: 'is not a known key' }] });
  });

  it.each(['config:check', 'user:list'])('%s lists the mistakes', async (command) => {
    const reason = await new CommandLine(folder, { PORT: 'x' }).reason([command]);
    expect(reason).toContain('gateway.yaml:1: stream.hartbeat is not a known key\n');
    expect(reason).toContain('environment: PORT must be a number from 0 to 65535\n');
  });
});
