import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { GATEWAY } from '../src/audit/audit.types.js';
import { AccessTokensService } from '../src/auth/access-tokens.service.js';
import { ConsoleClient } from './support/console-client.js';
import { ManagedObject, readTerraform } from './support/terraform-guide.js';
import { TestGateway } from './support/test-gateway.js';
import { createWorkFolder } from './support/test-settings.js';

const run = promisify(execFile);
const SCOPES = ['users.read', 'users.write', 'keys.write', 'projects.read', 'projects.write', 'limits.write'];

const gateway = await TestGateway.start();
const replica = await TestGateway.start({ database: gateway.database });
const { id: userId } = await gateway.createPerson({ role: 'admin' });
const scopes = [...SCOPES, 'plans.write', 'plans.read', 'tokens.write'];
const { token } = await gateway.services.get(AccessTokensService).create({ userId, name: 'ci', scopes }, GATEWAY);

function program(headers: Record<string, string> = {}, at: { url: string } = gateway): ConsoleClient {
  const client = ConsoleClient.of(at);
  client.headers = { authorization: `Bearer ${token}`, ...headers };
  return client;
}

/** The indented text of a section of docs/automate.md. */
async function exampleOf(title: string): Promise<string> {
  const [, section = ''] = (await readFile('docs/automate.md', 'utf8')).split(`## ${title}\n`);
  return (section.split('\n## ')[0] ?? '').replace(/^(?! {4}|\n).*$/gm, '').replace(/^ {4}/gm, '');
}

describe('docs/automate.md', () => {
  it('has commands for curl that run as they stand, and can be repeated', async () => {
    const script = await exampleOf('curl');
    const env = { ...process.env, GATEWAY_URL: gateway.url, GATEWAY_TOKEN: token };
    const { stdout } = await run('bash', ['-c', script], { env });
    expect(JSON.parse(stdout)).toMatchObject({ object: 'key', name: 'ci', limits: [{ scope: 'key' }] });
    const { items } = (await program().get('/api/users?email=Grace@example.com')).body;
    expect(items).toMatchObject([{ email: 'grace@example.com', name: 'Grace', status: 'disabled' }]);
    expect((await program().get('/api/users?email=grace@example.co')).body.items).toEqual([]);
    expect((await program().get('/api/users?name=Grace')).body.items).toHaveLength(1);
  });

  it('has a Terraform configuration whose objects are created, read, changed and destroyed', async () => {
    const { provider, objects } = readTerraform(await exampleOf('Terraform'));
    expect(provider).toMatchObject({ uri: 'var.gateway_url', create_returns_object: true, write_returns_object: true });
    expect(JSON.stringify(provider.headers)).toMatch(/^{"Authorization":"Bearer \${var\.gateway_token}"}$/);
    expect(objects.map(({ name }) => name)).toEqual(['search', 'search_limits']);
    const values: Record<string, string> = {};
    const managed = objects.map((object) => ({
      object,
      resource: new ManagedObject(program(), provider, object, values),
    }));
    const [project, limits] = managed.map(({ resource }) => resource) as [ManagedObject, ManagedObject];
    for (const { object, resource } of managed) {
      expect((await resource.create()).status).toBeLessThan(300);
      values[`restapi_object.${object.name}.id`] = resource.id;
    }
    expect([await project.read(), await limits.read()]).toMatchObject([
      { status: 200, body: { id: project.id, name: 'Search', archivedAt: null } },
      { status: 200, body: { values: { budgetMonthUsd: 500 } } },
    ]);
    expect([await project.update({ name: 'Find' }), await limits.update({ budgetMonthUsd: 400 })]).toMatchObject([
      { status: 200, body: { id: project.id, name: 'Find' } },
      { status: 200 },
    ]);
    expect((await limits.read()).body).toMatchObject({ values: { budgetMonthUsd: 400 } });
    expect((await limits.destroy()).status).toBe(200);
    expect((await limits.read()).body).toMatchObject({ values: { budgetMonthUsd: null } });
    expect((await project.destroy()).status).toBe(200);
    expect((await project.read()).body).toMatchObject({ archivedAt: expect.any(String) });
  });

  it('has a workflow of GitHub Actions that creates the people of a file, at each push those who are new', async () => {
    const workflow = parse(await exampleOf('GitHub Actions'));
    expect(workflow.on.push).toEqual({ branches: ['main'], paths: ['people.txt'] });
    const { env, steps } = workflow.jobs.people;
    expect(Object.keys(env)).toEqual(['GATEWAY_URL', 'GATEWAY_TOKEN']);
    const script = steps.find((step: { run?: string }) => step.run)?.run;
    const folder = await createWorkFolder();
    const push = async (runId: string, ...people: string[]) => {
      await writeFile(join(folder.path, 'people.txt'), people.map((email) => `${email}\n`).join(''));
      const variables = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: token, GITHUB_RUN_ID: runId };
      return run('bash', ['-e', '-c', script], { cwd: folder.path, env: { ...process.env, ...variables } });
    };
    await push('1', 'edsger@example.com', 'barbara@example.com');
    await push('2', 'edsger@example.com', 'barbara@example.com', 'tony@example.com');
    for (const name of ['edsger', 'barbara', 'tony']) {
      expect((await program().get(`/api/users?email=${name}@example.com`)).body.items).toHaveLength(1);
    }
    await expect(push('3', 'no address')).rejects.toMatchObject({
      code: 22,
      stdout: expect.stringContaining('email'),
    });
  });
});

describe('a POST with an Idempotency-Key', () => {
  it('is executed once in all processes; its repeat has no secrets, and neither has the database', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await program(headers).post('/api/keys', { name: 'once' });
    expect([first.status, first.body.key]).toEqual([201, expect.stringMatching(/^svc_/)]);
    const again = await program(headers, replica).post('/api/keys', { name: 'once' });
    expect(again.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect([again.status, again.body]).toEqual([201, { ...first.body, key: null }]);
    const made = await program({ 'idempotency-key': 'token-1' }).post('/api/tokens', { name: 'x', scopes: SCOPES });
    const stored = await gateway.database.query<{ row: string }>('SELECT t::text AS row FROM idempotent_writes AS t');
    for (const secret of [first.body.key, made.body.token]) {
      expect(stored.map(({ row }) => row).join()).not.toContain(secret.slice(8, 30));
    }
    expect((await program().get('/api/keys?name=once')).status).toBe(403);
    const [{ many } = { many: 0 }] = await gateway.database.query<{ many: number }>(
      "SELECT count(*)::int AS many FROM api_keys WHERE name = 'once'",
    );
    expect(many).toBe(1);
  });

  it('is refused with another body, and executed again after it failed', async () => {
    const headers = { 'idempotency-key': 'key-2' };
    expect((await program(headers).post('/api/projects', { name: '' })).status).toBe(400);
    const [one, two] = await Promise.all([1, 2].map(() => program(headers).post('/api/projects', { name: 'Search' })));
    const statuses = [one?.status, two?.status].sort();
    expect([
      [201, 201],
      [201, 409],
    ]).toContainEqual(statuses);
    const other = await program(headers).post('/api/projects', { name: 'Other' });
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await program({ 'idempotency-key': 'x'.repeat(256) }).post('/api/projects', { name: 'X' })).status).toBe(
      400,
    );
  });
});

describe('every noun that people change in the console', () => {
  it('can be read by its id after a write, at another process, and deleted', async () => {
    const [here, there] = [program(), program({}, replica)];
    const project = (await here.post('/api/projects', { name: 'Terraform' })).body;
    const path = `/api/projects/${project.id}`;
    expect((await there.get('/api/projects?scope=all&name=Terraform')).body.items).toMatchObject([{ id: project.id }]);
    await here.put(`${path}/limits`, { budgetMonthUsd: 500 });
    expect((await there.get(`${path}/limits`)).body.values).toMatchObject({ budgetMonthUsd: 500 });
    const account = (await here.post(`${path}/service-accounts`, { name: 'crawler' })).body;
    expect((await there.get(`${path}/service-accounts/${account.id}`)).body).toMatchObject({ permissions: [] });
    const { id: userId } = await gateway.createPerson();
    await here.put(`${path}/members/${userId}`, { role: 'manager' });
    expect((await there.get(`${path}/members/${userId}`)).body).toMatchObject({ userId, role: 'manager' });
    await here.delete(`${path}/members/${userId}`);
    expect((await there.get(`${path}/members/${userId}`)).status).toBe(404);
    const plan = { id: 'team', name: 'Team', tiers: ['free'] };
    expect((await here.post('/api/plans', plan)).status).toBe(201);
    expect((await there.get('/api/plans/team')).body).toMatchObject(plan);
    await here.post(`/api/users/${project.userId}/plan`, { planId: 'team' });
    expect((await there.get(`/api/users/${project.userId}/plan`)).body.plan).toEqual({ id: 'team', name: 'Team' });
    expect((await here.delete(path)).body.archivedAt).not.toBeNull();
    expect((await there.get(path)).body.archivedAt).not.toBeNull();
  });
});

describe('the contract of the API', () => {
  it('fails for a removed route or field and a newly required one, and holds for the present API', async () => {
    const folder = await createWorkFolder();
    const released = await readFile('docs/api-contract.txt', 'utf8');
    const file = join(folder.path, 'released.txt');
    const check = async (text: string) => {
      await writeFile(file, text);
      return run(process.execPath, ['scripts/check-contract.mjs', file]).then(
        ({ stdout }) => stdout,
        ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
      );
    };
    expect(await check(released)).toBe('');
    const gone = await check(`${released}GET /api/gone\nKeyView.gone: string\nGET /api/old deprecated\n`);
    expect(gone).toContain('removed or changed: GET /api/gone');
    expect(gone).toContain('removed or changed: KeyView.gone: string');
    expect(gone).not.toContain('/api/old');
    expect(await check(released.replace('CreateTokenDto.name required\n', ''))).toContain(
      'newly required: CreateTokenDto.name',
    );
  }, 240_000);
});
