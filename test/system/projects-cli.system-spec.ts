import { expect, it } from '@jest/globals';
import { completion } from '../support/chat-answers.js';
import { ChatTest, QUESTION } from '../support/chat-test.js';
import { Commands } from '../support/commands.js';
import { budgetsCounted } from '../support/counted-budgets.js';
import { eventually } from '../support/eventually.js';
import { createWorkFolder } from '../support/test-settings.js';

const commands = new Commands();

const chat = await ChatTest.start();
const folder: Awaited<ReturnType<typeof createWorkFolder>> = await createWorkFolder();

const cli = async (...args: string[]) => {
  const variables = { ...folder.variables, DATABASE_URL: chat.gateway.database.url };
  const { code, stdout, stderr } = await commands.run([...args, '--json'], folder.path, variables);
  return { code, reported: stdout ? JSON.parse(stdout) : null, stderr };
};

function ask(key: string) {
  chat.upstream.enqueue(completion('Hello.', { prompt_tokens: 1000, completion_tokens: 40, total_tokens: 1040 }));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...QUESTION, max_tokens: 1000 });
  return fetch(`${chat.gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
}

it('projects, their members, keys and limits are managed by the command line', async () => {
  const { reported: project } = await cli('project:create', '--name', 'Search');
  expect(project).toMatchObject({ id: expect.any(String), name: 'Search', status: 'active' });
  expect((await cli('project:create', '--name', 'search')).stderr).toContain('already a project named search');
  const { email, id: userId } = await chat.gateway.createPerson();
  const member = (role: string) => cli('project:member', '--project', 'Search', '--email', email, '--role', role);
  expect((await member('manager')).reported).toEqual({ project: project.id, name: 'Search', email, role: 'manager' });
  const roles = () => chat.gateway.database.query('SELECT role FROM project_members WHERE user_id = $1', [userId]);
  expect(await roles()).toEqual([{ role: 'manager' }]);
  await member('none');
  expect(await roles()).toEqual([]);

  const own = (await cli('project:key', '--project', project.id, '--name', 'own')).reported;
  const robots = (await cli('project:key', '--project', 'Search', '--name', 'robot', '--service-account', 'robot'))
    .reported;
  expect(own).toMatchObject({ key: expect.stringMatching(/^svc_/), display: expect.any(String) });
  for (const { key } of [own, robots]) expect((await ask(key)).status).toBe(200);

  const { reported: limits } = await cli(
    'project:set',
    '--name',
    'Search',
    '--budget-total',
    '0.00024',
    '--tokens-per-minute',
    '90000',
  );
  expect(limits).toEqual({
    ...{ scope: 'project', id: project.id, requestsPerMinute: null, tokensPerMinute: 90_000, concurrentCalls: null },
    ...{ budgetDayUsd: null, budgetMonthUsd: null, budgetTotalUsd: 0.00024 },
    cache: 'default',
  });
  const budget = { scope: 'project', id: project.id, period: 'total', amountUsd: 0.00024, resetsAt: null };
  const spent = { spentUsd: 0.00024, reservedUsd: 0, uncoveredUsd: null };
  expect((await cli('budget:list')).reported).toContainEqual({ ...budget, ...spent });
  await budgetsCounted(chat.gateway.database);
  const refused = await eventually(async () => {
    const answer = await ask(robots.key);
    return answer.status === 429 && answer.json();
  }, 5000);
  expect(refused).toMatchObject({
    error: { code: 'insufficient_quota', message: 'The total budget of the project is used up. It does not reset.' },
  });
  expect((await cli('ledger:verify')).reported).toMatchObject({ ok: true, faults: [] });

  const granted = (await cli('plan:grant', '--project', 'Search', '--plan', 'pro')).reported;
  expect(granted).toMatchObject({ project: 'Search', plan: 'pro' });
  expect((await cli('plan:revoke', '--project', 'Search')).reported).toEqual({ project: 'Search', ended: 1 });

  expect((await cli('project:archive', '--id', project.id)).reported.status).toBe('archived');
  await eventually(async () => (await ask(own.key)).status === 403, 1000);
  expect((await cli('project:list')).reported).toMatchObject([{ id: project.id, name: 'Search', status: 'archived' }]);
  expect((await cli('project:key', '--project', project.id, '--name', 'late')).stderr).toContain('archived');
  const { reported: keys } = await cli('key:list');
  expect(keys).toContainEqual(expect.objectContaining({ name: 'robot', owner: 'robot', project: 'Search' }));
}, 120_000);
