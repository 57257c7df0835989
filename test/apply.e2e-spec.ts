import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { ApplyService } from '../src/apply/apply.service.js';
import { COMMAND_LINE } from '../src/audit/audit.types.js';
import type { ConsoleClient } from './support/console-client.js';
import { startConsole } from './support/console-people.js';
import { eventually } from './support/eventually.js';
import { LostTime } from './support/lost-time.js';
import { createMigratedDatabase } from './support/test-database.js';
import { TestGateway } from './support/test-gateway.js';

const COMPANY = `
plans:
  team: { name: Team, tiers: [free], models: [claude-opus-5.5], limits: { budgetMonthUsd: 20 } }
users:
  ada@example.com: { role: admin, plan: pro, limits: { requestsPerMinute: 600 } }
  grace@example.com: { plan: { team: 2099-01-01, pro: null } }
projects:
  search:
    plan: pro
    limits: { budgetMonthUsd: 300 }
    members: { ada@example.com: manager }
    serviceAccounts: [crawler]
    keys:
      crawler-prod: { serviceAccount: crawler, models: [gpt-6-luna], expires: 2099-06-30, limits: { budgetDayUsd: 1.5 } }
      old:
`;
const CREATED = [
  '+ plan team',
  '+ user ada@example.com',
  '+ user grace@example.com',
  '+ project search',
  '+ member ada@example.com of search',
  '+ service account search/crawler',
  '+ key crawler-prod of search/crawler',
  '+ key old of search',
];

let gateway: TestGateway;
let admin: ConsoleClient;
let member: ConsoleClient;

beforeAll(async () => {
  ({ gateway, admin, alice: member } = await startConsole());
});

async function apply(text: string, query = '', client = admin) {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'content-type': 'application/yaml' };
  const response = await fetch(`${gateway.url}/api/apply${query}`, { method: 'POST', headers, body: text });
  const body = (await response.json()) as {
    dryRun: boolean;
    changes: { line: string; path: string[] }[];
    keys: { path: string[]; id: string; key: string; display: string }[];
    error: { message: string; param: string; code: string };
  };
  return { status: response.status, body, lines: body.changes?.map(({ line }) => line) };
}

const callWith = (key: string) =>
  fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

describe('POST /api/apply', () => {
  let keys: Record<string, string>;

  it('only says what would change in a dry run', async () => {
    const { status, body, lines } = await apply(COMPANY, '?dryRun=true');
    expect({ status, lines, keys: body.keys }).toEqual({ status: 200, lines: CREATED, keys: [] });
    expect((await admin.get('/api/projects?scope=all')).body.items).toEqual([]);
  });

  it('makes what the file names, with keys that work at once', async () => {
    const { status, body, lines } = await apply(COMPANY);
    expect({ status, lines }).toEqual({ status: 200, lines: CREATED });
    expect(body.keys.map(({ path }) => path)).toEqual([
      ['projects', 'search', 'keys', 'crawler-prod'],
      ['projects', 'search', 'keys', 'old'],
    ]);
    keys = Object.fromEntries(body.keys.map(({ path, key }) => [path.at(-1), key]));
    expect(await callWith(keys['crawler-prod'] ?? '')).toBe(200);
    const {
      body: { items },
    } = await admin.get('/api/keys?scope=all');
    const crawler = items.find(({ name }: { name: string }) => name === 'crawler-prod');
    expect(crawler).toMatchObject({ models: ['gpt-6-luna'], expiresAt: '2099-06-30T00:00:00.000Z' });
    expect(crawler.limits.budgetDayUsd).toBe(1.5);
    const users = (await admin.get('/api/users?q=grace')).body.items;
    expect(users[0]).toMatchObject({ email: 'grace@example.com', role: 'member', plan: { id: 'team' } });
  });

  it('changes nothing the second time', async () => {
    expect((await apply(COMPANY)).body).toEqual({ dryRun: false, changes: [], keys: [] });
  });

  it('records the changes in the audit log as the console does, without a secret', async () => {
    const { body } = await admin.get('/api/audit');
    const actions = body.items.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['plan.create', 'user.create', 'user.limits', 'plan.grant']));
    expect(actions).toEqual(
      expect.arrayContaining(['project.create', 'project.member', 'project.limits', 'key.create']),
    );
    expect(new Set(body.items.slice(0, 12).map(({ requestId }: { requestId: string }) => requestId)).size).toBe(1);
    const rows = JSON.stringify(await gateway.database.query('SELECT * FROM audit_log')) + JSON.stringify(gateway.log);
    expect(Object.values(keys).filter((key) => rows.includes(key))).toEqual([]);
  });

  it('shows each change of a field with its values, and leaves alone what the file does not name', async () => {
    const text = `
users: { ada@example.com: { limits: { requestsPerMinute: plan } }, grace@example.com: { plan: free } }
projects:
  Search:
    limits: { budgetMonthUsd: 500 }
    members: { ada@example.com: member }
    keys: { crawler-prod: { serviceAccount: crawler, disabled: true, note: Nightly } }
`;
    const { lines } = await apply(text);
    expect(lines).toEqual([
      '~ user ada@example.com limits.requestsPerMinute 600 → plan',
      '~ user grace@example.com plan pro, team until 2099-01-01T00:00:00.000Z → free',
      '~ project Search limits.budgetMonthUsd 300 → 500',
      '~ member ada@example.com of Search role manager → member',
      '~ key crawler-prod of Search/crawler note  → Nightly',
      '~ key crawler-prod of Search/crawler disabled false → true',
    ]);
    await eventually(async () => (await callWith(keys['crawler-prod'] ?? '')) === 401, 1000);
    expect(await callWith(keys.old ?? '')).toBe(200);
    expect((await apply(text)).lines).toEqual([]);
  });

  it('removes only with prune, and only what an earlier apply made', async () => {
    const { body } = await admin.post('/api/projects', { name: 'by-hand' });
    const less = COMPANY.replace('      old:\n', '').replace('serviceAccounts: [crawler]', 'serviceAccounts: []');
    expect((await apply(less)).lines).not.toContain('- key old of search');
    const withoutCrawler = less.replace(/ {4}keys:\n.*\n/, '');
    expect((await apply(withoutCrawler, '?prune=true')).lines).toEqual([
      '- key old of search',
      '- key crawler-prod of search/crawler',
      '- service account search/crawler',
    ]);
    await eventually(async () => (await callWith(keys.old ?? '')) === 401, 1000);
    expect((await admin.get(`/api/projects/${body.id}`)).body.archivedAt).toBeNull();
    const again = await apply(COMPANY);
    expect(again.lines).toEqual([
      '~ service account search/crawler disabled true → false',
      '+ key crawler-prod of search/crawler',
      '+ key old of search',
    ]);
    const rest = 'users: { ada@example.com: , grace@example.com:  }';
    expect((await apply(rest, '?prune=true')).lines).toEqual(['- project search', '- plan team']);
    expect((await apply(rest, '?prune=true')).lines).toEqual([]);
  });

  it('reports every mistake with its path and line, and changes nothing', async () => {
    const text = `plans:
  team: { tiers: [gold], colour: red, limits: { budgetTotalUsd: 5 } }
  Bad Id: { tiers: [free] }
users:
  nobody: {}
  ada@example.com:
    role: owner
    limits: { requestsPerMinute: 0.5 }
projects:
  billing:
    plan: platinum
    members: { stranger@example.com: member }
    keys:
      k: { serviceAccount: ghost, expires: 2020-01-01, models: [gpt-0], addresses: [here] }
`;
    const { status, body } = await apply(text);
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 400,
      code: 'invalid_value',
      param: 'plans.team.colour',
    });
    expect(body.error.message.split('\n')).toEqual([
      'line 2: plans.team.colour is not a known key.',
      'line 2: plans.team.limits.budgetTotalUsd is not for plans, which have daily and monthly budgets only.',
      'line 2: plans.team.tiers[0] must name a tier of the catalog.',
      expect.stringMatching(/^line 3: plans\.Bad Id is not valid: A plan's id must have 1 to 40 characters/),
      'line 5: users.nobody is not valid: The e-mail address is not valid.',
      'line 7: users.ada@example.com.role must be one of admin, member.',
      expect.stringMatching(
        /^line 8: users\.ada@example\.com\.limits\.requestsPerMinute is not valid: it must be a whole/,
      ),
      "line 11: projects.billing.plan names the plan 'platinum', which does not exist: add it to `plans`.",
      'line 12: projects.billing.members.stranger@example.com is not a user: add the person to `users`.',
      expect.stringMatching(/^line 14: projects\.billing\.keys\.k\.addresses is not valid: /),
      'line 14: projects.billing.keys.k.serviceAccount is not a service account of the project: add it there.',
      'line 14: projects.billing.keys.k.models[0] must name a model of the catalog.',
      'line 14: projects.billing.keys.k.expires is not valid: A key must expire in the future.',
    ]);
    expect((await apply('users: [\n}')).body.error.message).toMatch(/^line 2: the file is not valid YAML: /);
    const { body: projects } = await admin.get('/api/projects?scope=all&q=billing');
    expect(projects.items).toEqual([]);
  });

  it('refuses to lock out the administrators', async () => {
    const { email } = admin.user;
    const { body } = await apply(`users: { ${email}: { role: member } }`);
    expect(body.error.message).toBe(
      `line 1: users.${email} is you: another administrator must disable you or remove your role.`,
    );
    const others = await gateway.database.query(`SELECT email FROM users WHERE role = 'admin'`);
    const text = stringify({ users: Object.fromEntries(others.map((one) => [one.email, { disabled: true }])) });
    const refused = gateway.services.get(ApplyService).apply(text, { dryRun: false, prune: false }, COMMAND_LINE);
    await expect(refused).rejects.toThrow('is the last administrator: make another one first');
  });

  it('ends the sessions of a user whom it disables', async () => {
    expect((await member.get('/api/account/sessions')).status).toBe(200);
    await apply(`users: { ${member.user.email}: { disabled: true } }`);
    expect((await member.get('/api/account/sessions')).status).toBe(401);
    await apply(`users: { ${member.user.email}: { disabled: false } }`);
  });

  it('takes JSON, and answers 403 to a member', async () => {
    expect((await apply('{"projects": {"json": {"contentLog": false}}}')).lines).toEqual(['+ project json']);
    await member.post('/api/session', { email: member.user.email, password: member.user.password });
    expect((await apply(COMPANY, '', member)).status).toBe(403);
  });

  it('tells keys of one name apart by their ids', async () => {
    await apply('projects: { twins: { keys: { twin: } } }');
    const { body } = await admin.get('/api/projects?scope=all&q=twins');
    await admin.post('/api/keys', { name: 'twin', projectId: body.items[0].id });
    const { body: refused } = await apply('projects: { twins: { keys: { twin: { note: One } } } }');
    expect(refused.error.message).toContain('is the name of several keys of this owner: name one of them with `id`');
    const text = await gateway.services.get(ApplyService).export();
    expect(text).toContain('twin (2)');
    expect((await apply(text)).lines).toEqual([]);
    await admin.post(`/api/projects/${body.items[0].id}/archive`);
  });
});

describe('GET /api/apply', () => {
  it('exports a file that changes nothing here, and makes the same elsewhere', async () => {
    await apply(COMPANY);
    const { status, headers, body } = await admin.get('/api/apply');
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/yaml; charset=utf-8',
    });
    expect((await apply(body)).lines).toEqual([]);
    const other = await TestGateway.start({ database: await createMigratedDatabase(), env: { SIMULATOR: 'on' } });
    const elsewhere = other.services.get(ApplyService);
    await elsewhere.apply(body, { dryRun: false, prune: false }, COMMAND_LINE);
    expect(await elsewhere.export()).toBe(body);
  });

  it('exports every company so that applying the export changes nothing', async () => {
    const database = await createMigratedDatabase();
    const config = { 'gateway.yaml': 'guards: { one: { detect: [email] }, two: { detect: [iban] } }' };
    const env = { SIMULATOR: 'on', CONTENT_LOG_KEY: randomBytes(32).toString('base64') };
    const other = await TestGateway.start({ database, config, env });
    const service = other.services.get(ApplyService);
    const options = { dryRun: false, prune: true };
    const name = fc
      .string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' })
      .filter((text) => text.trim() === text && text !== '__proto__');
    const limits = fc.record(
      {
        requestsPerMinute: fc.option(fc.integer({ min: 1, max: 1000 })),
        concurrentCalls: fc.integer({ min: 1, max: 9 }),
        budgetMonthUsd: fc.option(fc.integer({ min: 0, max: 10 ** 12 }).map((units) => `${units / 1000}`)),
      },
      { requiredKeys: [] },
    );
    const rates = fc.record({ tokensPerMinute: fc.option(fc.integer({ min: 1, max: 1000 })) }, { requiredKeys: [] });
    const guards = fc.constantFrom([], ['one'], ['two', 'one']);
    const cache = fc.constantFrom('default', 'none', '90m');
    const plan = fc.constantFrom('pro', 'free', null, { pro: '2099-01-01' });
    const keys = fc.dictionary(
      name,
      fc.record(
        {
          note: fc.string({ maxLength: 20, unit: 'grapheme-ascii' }),
          models: fc.constantFrom(null, ['gpt-6-luna']),
          addresses: fc.constantFrom(null, ['10.0.0.0/8']),
          expires: fc.constantFrom(null, '2099-05-01'),
          disabled: fc.boolean(),
          ...{ guards, cache, limits },
        },
        { requiredKeys: [] },
      ),
      { maxKeys: 3 },
    );
    const email = fc.integer({ min: 0, max: 5 }).map((number) => `p${number}@example.com`);
    const company = fc.record({
      plans: fc.dictionary(
        fc.constantFrom('team', 'lab'),
        fc.record(
          { name, tiers: fc.constantFrom(['free'], ['pro', 'free']), retired: fc.boolean(), guards, limits: rates },
          { requiredKeys: ['tiers'] },
        ),
      ),
      users: fc.dictionary(
        email,
        fc.record(
          { name, role: fc.constantFrom('member', 'admin'), disabled: fc.boolean(), plan, limits, keys },
          { requiredKeys: [] },
        ),
        { maxKeys: 3 },
      ),
      projects: fc.uniqueArray(name, { maxLength: 3, selector: (text) => text.toLowerCase() }).chain((names) =>
        fc
          .tuple(
            ...names.map(() =>
              fc.record(
                {
                  ...{ plan, guards, cache, limits, keys },
                  serviceAccounts: fc.constantFrom(['a'], { b: { disabled: true } }),
                },
                { requiredKeys: [] },
              ),
            ),
          )
          .map((all) => Object.fromEntries(names.map((one, index) => [one, all[index]]))),
      ),
    });
    await service.apply('users: { root@example.com: { role: admin } }', options, COMMAND_LINE);
    await fc.assert(
      fc.asyncProperty(company, async ({ plans, users, projects }) => {
        const text = stringify({ plans, users: { 'root@example.com': {}, ...users }, projects });
        await service.apply(text, options, COMMAND_LINE);
        expect((await service.apply(text, options, COMMAND_LINE)).changes).toEqual([]);
        const exported = await service.export();
        expect((await service.apply(exported, options, COMMAND_LINE)).changes).toEqual([]);
        expect(await service.export()).toBe(exported);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a company of 500 users, 50 projects and 1,000 keys', () => {
  it('is applied within 10 s, and a second time without changes within 3 s', async () => {
    const users = Array.from({ length: 500 }, (_, n) => [
      `u${n}@big.example`,
      { name: `U ${n}`, plan: 'pro', limits: { requestsPerMinute: 60, budgetMonthUsd: 50 } },
    ]);
    const projects = Array.from({ length: 50 }, (_, n) => [
      `big-${n}`,
      {
        plan: 'pro',
        limits: { budgetMonthUsd: 500 },
        members: Object.fromEntries(users.slice(n * 10, n * 10 + 10).map(([email]) => [email, 'member'])),
        keys: Object.fromEntries(
          Array.from({ length: 20 }, (_key, k) => [`k${k}`, { models: ['gpt-6-luna'], limits: { budgetDayUsd: 5 } }]),
        ),
      },
    ]);
    const text = stringify({ users: Object.fromEntries(users), projects: Object.fromEntries(projects) });
    const timed = async () => {
      const startedMs = performance.now();
      const lost = new LostTime();
      const { body } = await apply(text);
      const ms = performance.now() - startedMs - lost.stop();
      return { changes: body.changes.length, keys: body.keys.length, ms };
    };
    const first = await timed();
    expect(first).toMatchObject({ changes: 2050, keys: 1000 });
    expect(first.ms).toBeLessThan(10_000);
    const second = await timed();
    expect(second).toMatchObject({ changes: 0, keys: 0 });
    expect(second.ms).toBeLessThan(3000);
  }, 60_000);
});
