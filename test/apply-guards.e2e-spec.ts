import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ApplyService } from '../src/apply/apply.service.js';
import { COMMAND_LINE } from '../src/audit/audit.types.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const GUARDS = `
guards:
  plans: { words: { plan: [alpha] } }
  projects: { words: { project: [beta] } }
  keys: { words: { key: [gamma] } }`;
const OPTIONS = {
  config: { 'gateway.yaml': GUARDS },
  env: { CONTENT_LOG_KEY: randomBytes(32).toString('base64'), SIMULATOR: 'on' },
};
const COMPANY = `
plans:
  guarded: { tiers: [free], guards: [plans] }
projects:
  vault:
    plan: guarded
    guards: [projects]
    cache: 2h
    keys:
      bot: { guards: [keys, projects], cache: none }
`;

let key: string;

const { gateway, admin } = await startConsole(OPTIONS);

async function apply(text: string, query = '', authorization?: string) {
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { 'content-type': 'application/yaml', ...(authorization ? { authorization } : { cookie }) };
  const response = await fetch(`${gateway.url}/api/apply${query}`, { method: 'POST', headers, body: text });
  const body = (await response.json()) as {
    changes: { line: string }[];
    keys: { key: string }[];
    error?: { message: string; code: string };
  };
  return { status: response.status, lines: body.changes?.map(({ line }) => line), keys: body.keys, error: body.error };
}

async function callWith(word: string): Promise<string | number> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: word }] }),
  });
  const body = (await response.json()) as { error?: { code: string } };
  return body.error?.code ?? response.status;
}

describe('The guards and the cache of an apply file', () => {
  it('take effect with what the file makes, and are the same the second time', async () => {
    const { status, keys } = await apply(COMPANY);
    expect(status).toBe(200);
    key = keys[0]?.key ?? '';
    for (const word of ['alpha', 'beta', 'gamma']) expect(await callWith(word)).toBe('content_blocked');
    expect(await callWith('delta')).toBe(200);
    expect((await apply(COMPANY)).lines).toEqual([]);
  });

  it('change with a line each, only in words in a dry run, and within a second', async () => {
    const text = `
plans: { guarded: { guards: [] } }
projects: { vault: { guards: [keys], cache: default, keys: { bot: { guards: [], cache: 30m } } } }
`;
    const lines = [
      '~ plan guarded guards [plans] → []',
      '~ project vault cache 2h → default',
      '~ project vault guards [projects] → [keys]',
      '~ key bot of vault cache none → 30m',
      '~ key bot of vault guards [keys, projects] → []',
    ];
    expect((await apply(text, '?dryRun=true')).lines).toEqual(lines);
    expect(await callWith('alpha')).toBe('content_blocked');
    expect((await apply(text)).lines).toEqual(lines);
    await eventually(async () => (await callWith('alpha beta')) === 200, 1000);
    expect(await callWith('gamma')).toBe('content_blocked');
    expect((await apply('projects: { vault: { keys: { bot: } } }')).lines).toEqual([]);
  });

  it('are in the audit log as after a change in the console', async () => {
    const { body } = await admin.get('/api/audit');
    const entries = (body.items as { action: string; before: unknown; after: unknown }[]).filter(
      ({ action }) => action.endsWith('.guards') || action.endsWith('.cache'),
    );
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual(
      expect.arrayContaining([
        { action: 'plan.guards', before: { guards: [] }, after: { guards: ['plans'] } },
        { action: 'plan.guards', before: { guards: ['plans'] }, after: { guards: [] } },
        { action: 'project.guards', before: { guards: ['projects'] }, after: { guards: ['keys'] } },
        { action: 'project.cache', before: { cache: '2h' }, after: { cache: 'default' } },
        { action: 'key.guards', before: { guards: ['keys', 'projects'] }, after: { guards: [] } },
        { action: 'key.cache', before: { cache: 'none' }, after: { cache: '30m' } },
      ]),
    );
  });

  it('are refused with path and line where gateway.yaml has no such guard, unless it was set before', async () => {
    const text = `plans:
  guarded: { guards: [none] }
projects:
  vault:
    guards: [keys, gone]
    cache: often
    keys: { bot: { guards: [lost] } }
`;
    expect((await apply(text)).error?.message.split('\n')).toEqual([
      'line 2: plans.guarded.guards[0] must name a guard of gateway.yaml.',
      'line 5: projects.vault.guards[1] must name a guard of gateway.yaml.',
      'line 6: projects.vault.cache must be a duration such as 1h, none, or default.',
      'line 7: projects.vault.keys.bot.guards[0] must name a guard of gateway.yaml.',
    ]);
    await gateway.database.query("UPDATE api_keys SET guards = '{lost}' WHERE name = 'bot'");
    expect((await apply('projects: { vault: { keys: { bot: { guards: [lost, keys] } } } }')).lines).toEqual([
      '~ key bot of vault guards [lost] → [lost, keys]',
    ]);
    await apply('projects: { vault: { keys: { bot: { guards: [keys] } } } }');
  });

  it('are exported, and make the same elsewhere', async () => {
    await apply(COMPANY);
    const { body } = await admin.get('/api/apply');
    expect(body).toMatch(/guards:\n +- keys\n +- projects\n/);
    expect((await apply(body)).lines).toEqual([]);
    const other = await TestGateway.start({ ...OPTIONS, database: await createMigratedDatabase() });
    const elsewhere = other.services.get(ApplyService);
    await elsewhere.apply(body, { dryRun: false, prune: false }, COMMAND_LINE);
    expect(await elsewhere.export()).toBe(body);
  });

  it('need the permission for guards, and a new user without a plan needs none for plans', async () => {
    const scopes = ['apply', 'users.write', 'projects.write', 'keys.write'];
    const { body } = await admin.post('/api/tokens', { name: 'apply', scopes });
    const token = `Bearer ${body.token}`;
    const refused = await apply('projects: { vault: { guards: [] } }', '', token);
    expect([refused.status, refused.error?.code, refused.error?.message]).toEqual([
      403,
      'insufficient_permissions',
      expect.stringContaining('guards.write'),
    ]);
    const user = await apply('users: { new@example.com: { name: New } }', '', token);
    expect([user.status, user.lines]).toEqual([200, ['+ user new@example.com']]);
  });

  it('give no right that the API does not give: limits of plans and keys, administrators', async () => {
    const scopes = ['apply', 'users.write', 'limits.write'];
    const { body } = await admin.post('/api/tokens', { name: 'limits', scopes });
    for (const [file, permission] of [
      ['plans: { guarded: { limits: { requestsPerMinute: 9 } } }', 'plans.write'],
      ['projects: { vault: { keys: { bot: { limits: { requestsPerMinute: 9 } } } } }', 'keys.write'],
      ['users: { boss@example.com: { role: admin } }', 'keys.read'],
      ['users: { new@example.com: { role: admin } }', 'keys.read'],
    ] as const) {
      const { status, error } = await apply(file, '?dryRun=true', `Bearer ${body.token}`);
      expect([status, error?.message]).toEqual([403, expect.stringContaining(permission)]);
    }
    const own = await apply(
      'projects: { vault: { limits: { requestsPerMinute: 9 } } }',
      '?dryRun=true',
      `Bearer ${body.token}`,
    );
    expect(own.status).toBe(200);
  });

  it('go with what prune removes: the project is archived, its keys refused, the user disabled', async () => {
    expect((await apply('projects: {}', '?prune=true')).lines).toEqual([
      '- project vault',
      '- user new@example.com',
      '- plan guarded',
    ]);
    await eventually(async () => (await callWith('delta')) !== 200, 1000);
    const { body } = await admin.get('/api/users?q=new@example.com');
    expect(body.items[0]).toMatchObject({ email: 'new@example.com', status: 'disabled' });
    expect((await admin.get('/api/guards')).body.assignments).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ kind: 'project' })]),
    );
  });
});
