import { describe, expect, it } from '@jest/globals';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { UsageLedgerService } from '../src/ledger/usage-ledger.service.js';
import type { ConsoleClient } from './support/console-client.js';
import { startConsole } from './support/console-people.js';
import { budgetsCounted } from './support/counted-budgets.js';
import { eventually } from './support/eventually.js';
import { closedCall, openCall } from './support/test-calls.js';

const { gateway, admin, alice, bob } = await startConsole();

function spend(userId: string, keyId: string, dollars: number): Promise<void> {
  const call = openCall({ userId, keyId });
  return gateway.services.get(UsageLedgerService).close(closedCall(call, { costNanodollars: BigInt(dollars * 1e9) }));
}

describe('the budgets of which the largest part is spent', () => {
  it('are listed by their spent part, with the names of their owners and a forecast', async () => {
    const { body: key } = await bob.post('/api/keys', { name: 'nightly-export' });
    await spend(alice.user.id, '11111111-1111-4111-8111-111111111111', 14);
    await spend(bob.user.id, key.id, 9);
    await bob.patch(`/api/keys/${key.id}`, { limits: { budgetTotalUsd: '10' } });
    await admin.patch(`/api/users/${alice.user.id}/limits`, { budgetMonthUsd: '100' });
    await budgetsCounted(gateway.database);
    const { items } = await eventually(async () => {
      const { body } = await admin.get('/api/budgets');
      return body.items.length === 2 && body;
    });
    expect(items).toMatchObject([
      {
        scope: 'key',
        id: key.id,
        name: 'nightly-export',
        detail: key.display,
        period: 'total',
        amountUsd: 10,
        spentUsd: 9,
      },
      { scope: 'user', id: alice.user.id, name: alice.user.email, period: 'month', amountUsd: 100, spentUsd: 14 },
    ]);
    const [ofKey, ofAlice] = items;
    expect(ofKey.forecastUsd).toBeNull();
    const daysUntilSpent = (Date.parse(ofKey.runsOutAt) - Date.now()) / 86_400_000;
    expect(daysUntilSpent).toBeCloseTo(1 / 9, 1);
    const daysLeft = (Date.parse(ofAlice.resetsAt) - Date.now()) / 86_400_000;
    expect(ofAlice.forecastUsd).toBeCloseTo(14 + 14 * daysLeft, 1);
    expect(ofAlice.historyDays).toBe(1);
  });

  it('reflect a changed budget immediately, and omit a removed one', async () => {
    const path = `/api/users/${alice.user.id}/limits`;
    await admin.patch(path, { budgetMonthUsd: '14' });
    const [first] = (await admin.get('/api/budgets')).body.items;
    expect(first).toMatchObject({ id: alice.user.id, amountUsd: 14, spentUsd: 14 });
    await admin.patch(path, { budgetMonthUsd: 'plan' });
    const { items, isComplete } = (await admin.get('/api/budgets')).body;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(alice.user.id);
    expect(isComplete).toBe(true);
  });

  it('are everyone’s only for administrators; others see their own and those of their projects', async () => {
    expect((await alice.get('/api/budgets?scope=all')).status).toBe(403);
    const { body: project } = await admin.post('/api/projects', { name: 'Search' });
    await admin.put(`/api/projects/${project.id}/members/${alice.user.id}`, { role: 'manager' });
    const { userId } = await gateway.services.get(ProjectsService).get(project.id);
    await spend(userId, '22222222-2222-4222-8222-222222222222', 4);
    await admin.put(`/api/projects/${project.id}/limits`, { budgetMonthUsd: '5' });
    await admin.patch(`/api/users/${alice.user.id}/limits`, { budgetMonthUsd: '100' });
    await budgetsCounted(gateway.database);
    const owners = async (client: ConsoleClient, scope: string) =>
      (await client.get(`/api/budgets?scope=${scope}`)).body.items.map(({ id }: { id: string }) => id);
    await eventually(async () => (await owners(alice, 'projects')).length > 0);
    expect(await owners(alice, 'projects')).toEqual([project.id]);
    expect(await owners(alice, 'mine')).toEqual([alice.user.id]);
    expect(await owners(bob, 'projects')).toEqual([]);
    expect(await owners(bob, 'mine')).toEqual([expect.any(String)]);
    const notices = async (client: ConsoleClient) =>
      (await client.get('/api/budgets/notices')).body.items.map(({ name }: { name: string }) => name);
    expect(await notices(alice)).toEqual(['Search']);
    await admin.put(`/api/projects/${project.id}/members/${bob.user.id}`, { role: 'member' });
    expect(await notices(bob)).toEqual(['nightly-export']);
  });
});
