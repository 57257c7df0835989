import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UsageLedgerService } from '../src/ledger/usage-ledger.service.js';
import type { ConsoleClient } from './support/console-client.js';
import { startConsole } from './support/console-people.js';
import { budgetsCounted } from './support/counted-budgets.js';
import { eventually } from './support/eventually.js';
import { closedCall, openCall } from './support/test-calls.js';
import type { TestGateway } from './support/test-gateway.js';

let gateway: TestGateway;
let admin: ConsoleClient;
let alice: ConsoleClient;
let bob: ConsoleClient;

beforeAll(async () => {
  ({ gateway, admin, alice, bob } = await startConsole());
});
afterAll(() => gateway?.stop());

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
    expect(daysUntilSpent).toBeCloseTo(1 / (9 / 7), 1);
    const daysLeft = (Date.parse(ofAlice.resetsAt) - Date.now()) / 86_400_000;
    expect(ofAlice.forecastUsd).toBeCloseTo(14 + 2 * daysLeft, 1);
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

  it('are for administrators', async () => {
    expect((await alice.get('/api/budgets')).status).toBe(403);
  });
});
