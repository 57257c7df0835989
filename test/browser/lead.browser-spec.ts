import { afterEach, describe, expect, it } from '@jest/globals';
import { ProjectsService } from '../../src/accounts/projects.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { UsageLedgerService } from '../../src/ledger/usage-ledger.service.js';
import { ProjectLimitsService } from '../../src/limits/settings/limit-settings.service.js';
import { budgetsCounted } from '../support/counted-budgets.js';
import { closedCall, openCall } from '../support/test-calls.js';
import { ConsoleBrowser } from './support/console-browser.js';
import { TestProjects } from './support/test-projects.js';

const browser = await ConsoleBrowser.start();
const { services, database } = browser.gateway;
const manager = await browser.gateway.createPerson({ email: 'grace@example.com', name: 'Grace Hopper' });
const member = await browser.gateway.createPerson({ email: 'alan@example.com', name: 'Alan Turing' });
const stranger = await browser.gateway.createPerson({ email: 'edsger@example.com', name: 'Edsger Dijkstra' });
const projects = new TestProjects(browser.gateway, { manager, member });
const project: string = await projects.create('Search', { hasBudget: false });
const { id: keyId } = await projects.createKey(project, 'search-api');
const { userId } = await services.get(ProjectsService).get(project);
const call = openCall({ userId, keyId, startedAt: new Date(Date.now() - 1000) });
await services.get(UsageLedgerService).close(closedCall(call, { costNanodollars: 4_500_000_000n }));
// A budget that is set counts the earlier spending.
const budget = { budgetMonthNanodollars: 4_800_000_000n };
await services.get(ProjectLimitsService).set(project, budget, true, GATEWAY);
await budgetsCounted(database);
afterEach(() => browser.closePages());

describe('a manager of projects', () => {
  it('sees the usage of the projects first, with their budgets, instead of the steps to a first request', async () => {
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open('/');
    const whose = view.getByRole('radiogroup', { name: 'Whose requests' });
    expect(await whose.getByRole('radio').count()).toBe(2);
    expect(await whose.getByRole('radio', { name: 'My projects' }).isChecked()).toBe(true);
    await view.getByRole('region', { name: 'This month' }).getByText('$4.50', { exact: true }).waitFor();
    await view.getByRole('heading', { name: 'Budgets of your projects' }).waitFor();
    await view.getByText('$4.50 of $4.80').first().waitFor();
    expect(await view.getByText('Make your first request').count()).toBe(0);
    expect(await page.accessibilityFaults()).toEqual([]);
    await whose.getByText('Mine').click();
    await view.getByText('Make your first request').waitFor();
    expect(await view.getByText('Budgets of your projects').count()).toBe(0);
  });

  it('sees on the overview which budget is nearly spent, with links to the project and to all budgets', async () => {
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open('/');
    const banner = view.getByRole('status').filter({ hasText: 'A budget is nearly spent' });
    expect(await banner.innerText()).toMatch(/Project Search: \$4\.50 of \$4\.80 this month, 80 % or more; resets /);
    await banner.getByRole('link', { name: 'Search' }).click();
    await view.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    await page.open('/');
    await banner.getByRole('link', { name: 'All budgets' }).click();
    await view.getByRole('row', { name: /Search/ }).waitFor();
    expect(page.path).toBe('/budgets?scope=projects');
  });

  it('can group the usage of the projects by project and user, and list their requests', async () => {
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open('/usage?by=project');
    await view.getByRole('row', { name: /Search.*\$4\.50/ }).waitFor();
    await view.getByRole('combobox', { name: 'Group by' }).click();
    await view.getByRole('option', { name: 'By user' }).click();
    await view.getByRole('row', { name: /Search.*\$4\.50/ }).waitFor();
    await page.open('/requests');
    await view.getByRole('row', { name: /search-api/ }).waitFor();
    await view.getByRole('button', { name: 'User' }).click();
    await view.getByRole('checkbox', { name: /^Search/ }).check();
    await view.getByRole('row', { name: /search-api/ }).waitFor();
    expect(page.path).toMatch(/users=/);
  });

  it('sees the budgets of the projects, and is told of those that are nearly spent', async () => {
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open('/');
    await view.getByRole('button', { name: '1 new notice' }).click();
    await view.getByRole('menuitem', { name: /The budget of Search is 93.8% spent/ }).waitFor();
    await view.getByRole('menuitem', { name: 'Mark as seen' }).click();
    await view.getByRole('button', { name: '1 notice' }).waitFor();
    await view.getByRole('navigation').getByRole('link', { name: 'Budgets' }).click();
    await view
      .getByRole('row', { name: /Search/ })
      .getByRole('link', { name: 'Search' })
      .click();
    await view.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(page.path).toBe(`/projects/${project}`);
  });
});

describe('a person without projects', () => {
  it('has no choice whose usage is shown, no budgets of others and no notices', async () => {
    const page = await browser.open({ as: stranger });
    const { view } = page;
    await page.open('/usage?scope=projects&by=user');
    await view.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    expect(await view.getByRole('radiogroup', { name: /^Whose/ }).count()).toBe(0);
    expect(await view.getByRole('navigation').getByRole('link', { name: 'Budgets' }).count()).toBe(0);
    expect(await view.getByRole('button', { name: /notice/ }).count()).toBe(0);
    await page.open('/budgets?scope=all');
    await view.getByText('No budget is in use').waitFor();
  });
});
