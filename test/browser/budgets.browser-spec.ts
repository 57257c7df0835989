import { afterEach, describe, expect, it } from '@jest/globals';
import { UsersService } from '../../src/accounts/users.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { UsageLedgerService } from '../../src/ledger/usage-ledger.service.js';
import { ProjectLimitsService, UserLimitsService } from '../../src/limits/settings/limit-settings.service.js';
import { budgetsCounted } from '../support/counted-budgets.js';
import { closedCall, openCall } from '../support/test-calls.js';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData } from './support/demo-data.js';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

describe('the page of budgets', () => {
  it('lists who is near a budget, and leads to the user', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/budgets');
    const { view } = page;
    const row = view.getByRole('row', { name: /grace@example\.com/ });
    expect(await row.innerText()).toMatch(/User[\s\S]*This month[\s\S]*of \$60\.00/);
    await row.getByRole('link', { name: 'grace@example.com' }).click();
    await view.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  });

  it('leads from the budget of a project to the project', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/budgets?budget=project');
    await page.view.getByRole('row').getByRole('link', { name: 'Search' }).click();
    await page.view.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(page.path).toBe(`/projects/${demo.project}`);
  });

  it('is narrowed by state, owner and period, which stay in the address', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/budgets?budget=key&period=total');
    const rows = page.view.locator('tbody tr');
    expect(await rows.count()).toBe(1);
    expect(await rows.first().innerText()).toMatch(/grace-compiler[\s\S]*In total/);
    await page.open('/budgets?budget=key&period=month');
    await page.view.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.view.getByRole('row', { name: /grace@example\.com/ }).waitFor();
    expect(page.path).toBe('/budgets');
  });
});

describe('a budget', () => {
  it('is changed from its row', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/budgets?budget=project');
    await view.getByRole('button', { name: 'Change the budget of Search' }).click();
    const dialog = view.getByRole('dialog', { name: 'Budget of Search' });
    const amount = dialog.getByRole('textbox', { name: 'Budget per month' });
    expect(await amount.inputValue()).toBe('25');
    expect(await page.accessibilityFaults()).toEqual([]);
    await amount.fill('much');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter dollars, such as 20 or 0.50').waitFor();
    await amount.fill('2500');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText('The budget of Search is saved').waitFor();
    await view.getByText(/of \$2,500\.00/).waitFor();
    const { values } = await browser.gateway.services.get(ProjectLimitsService).get(demo.project);
    expect(values.budgetMonthNanodollars).toBe(2_500_000_000_000n);
  });

  it('is set for anyone who is found by name: a user, a project or a key', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/budgets');
    await view.getByRole('button', { name: 'Set a budget' }).click();
    const dialog = view.getByRole('dialog', { name: 'Set a budget' });
    await dialog.getByText('User', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'User' }).fill('Build pipe');
    await view.getByRole('option', { name: 'ci@example.com' }).click();
    await dialog.getByRole('textbox', { name: 'Budget per day' }).fill('3');
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('set-budget');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText('The budget of ci@example.com is saved').waitFor();
    const { services } = browser.gateway;
    const { id } = await services.get(UsersService).getByEmail('ci@example.com');
    expect((await services.get(UserLimitsService).get(id)).own).toEqual({ budgetDayNanodollars: 3_000_000_000n });
  });

  it('is set for a key by its owner, who can choose only own keys', async () => {
    const page = await browser.open({ as: demo.member });
    const { view } = page;
    await page.open('/budgets');
    await view.getByRole('button', { name: 'Set a budget' }).click();
    const dialog = view.getByRole('dialog', { name: 'Set a budget' });
    await dialog.getByRole('combobox', { name: 'Key' }).click();
    await view.getByRole('option', { name: /^batch-jobs/ }).waitFor();
    expect(await view.getByRole('option', { name: /ada-laptop/ }).count()).toBe(0);
    await view.getByRole('option', { name: /^batch-jobs/ }).click();
    await dialog.getByRole('textbox', { name: 'Budget per month' }).fill('100');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Your own limit is 60 dollars a month').waitFor();
    await dialog.getByRole('textbox', { name: 'Budget per month' }).fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText(/^The budget of batch-jobs/).waitFor();
    expect(await view.getByRole('button', { name: /^Change the budget of grace@/ }).count()).toBe(0);
  });
});

describe('the forecast of a budget', () => {
  it('uses the days that have data and says how few, and for daily budgets the last hour', async () => {
    const { services, database, createPerson } = testPeople();
    const newcomer = await createPerson('newcomer@example.com');
    const now = Date.now();
    // Two days with data: the first of them 30 hours ago.
    await newcomer.spend(3_000_000_000n, now - 30 * HOUR_MS);
    await newcomer.spend(1_000_000_000n, now - 60_000);
    const limits = { budgetMonthNanodollars: 1_000_000_000_000n, budgetDayNanodollars: 9_000_000_000n };
    await services.get(UserLimitsService).set(newcomer.id, limits, GATEWAY);
    await budgetsCounted(database);
    const page = await browser.open({ as: demo.admin });
    await page.open('/budgets?q=newcomer');
    const rows = page.view.getByRole('row').filter({ hasText: 'newcomer@example.com' });
    const month = await rows.filter({ hasText: 'This month' }).innerText();
    expect(month).toContain('Little history: 2 days');
    const day = rows.filter({ hasText: 'Today' });
    // One dollar in the last hour: of the eight that are left, the last is spent in eight hours, if the day is that long.
    const isBeforeReset = new Date(now).getUTCHours() < 15;
    expect(await day.innerText()).toContain(isBeforeReset ? 'Will run out' : 'Enough left');
    expect(await day.innerText()).not.toContain('Little history');
    if (isBeforeReset) expect(await day.innerText()).toMatch(/in [78] hours/);
  });
});

const HOUR_MS = 3_600_000;

function testPeople() {
  const { services, database } = browser.gateway;
  const createPerson = async (email: string) => {
    const { id } = await browser.gateway.createPerson({ email });
    const key = await services.get(ApiKeysService).create({ name: 'first', userId: id, expiresAt: null }, GATEWAY);
    const spend = (costNanodollars: bigint, at: number) => {
      const call = openCall({ userId: id, keyId: key.id, startedAt: new Date(at) });
      return services.get(UsageLedgerService).close(closedCall(call, { costNanodollars }));
    };
    return { id, spend };
  };
  return { services, database, createPerson };
}
