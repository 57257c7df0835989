import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { ProjectMembersService } from '../../src/accounts/project-members.service.js';
import { ProjectsService } from '../../src/accounts/projects.service.js';
import { UsersService } from '../../src/accounts/users.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { TestProjects } from './support/test-projects.js';

const browser = await ConsoleBrowser.start({ env: { CONTENT_LOG_KEY: randomBytes(32).toString('base64') } });
const admin = await browser.gateway.createPerson({ role: 'admin' });
const manager = await browser.gateway.createPerson({ email: 'grace@example.com', name: 'Grace Hopper' });
const member = await browser.gateway.createPerson({ email: 'alan@example.com', name: 'Alan Turing' });
const projects = new TestProjects(browser.gateway, { manager, member });
afterEach(() => browser.closePages());

/** The faults of the current page, wide and narrow; keeps screenshots. */
async function faultsOf(page: ConsolePage, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.view.setViewportSize({ width, height: 900 });
    faults.push(...(await page.accessibilityFaults()), ...(await page.sidewaysFaults()));
    await page.screenshot(`${name}-${width}`);
  }
  await page.view.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

/** Creates a key with the open page's button, and returns its secret. */
async function createKey(page: ConsolePage, name: string, usedBy?: string): Promise<string> {
  const { view } = page;
  await view.getByRole('button', { name: 'Create key' }).click();
  const dialog = view.getByRole('dialog');
  if (usedBy) {
    await dialog.getByLabel('Used by').click();
    await view.getByRole('option', { name: usedBy }).click();
  }
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await view.getByRole('heading', { name: `${name} is ready` }).waitFor();
  const secret = await dialog.getByLabel('Your API key').inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByRole('button', { name: 'Close anyway' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

describe('projects', () => {
  it('are created by an administrator, who adds a manager', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/projects');
    await view.getByText('You are not in any project').waitFor();
    expect(await faultsOf(page, 'projects-empty')).toEqual([]);
    await view.getByRole('button', { name: 'Create project' }).first().click();
    const dialog = view.getByRole('dialog', { name: 'Create a project' });
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByText('Enter a name').waitFor();
    await dialog.getByLabel('Name').fill('Search');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await view.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await view.getByRole('tab', { name: /^Members/ }).click();
    await view.getByRole('button', { name: 'Add member' }).click();
    const people = view.getByRole('dialog', { name: 'Add a member' });
    const address = people.getByLabel('E-mail address');
    await address.fill('Grace');
    await view.getByRole('option', { name: 'grace@example.com' }).waitFor();
    // Twice: the second one would submit the form.
    for (const key of ['ArrowDown', 'Enter', 'Enter']) await address.press(key);
    expect(await address.inputValue()).toBe('grace@example.com');
    await people.getByText('Manager', { exact: true }).click();
    expect(await page.accessibilityFaults()).toEqual([]);
    await people.getByRole('button', { name: 'Add member' }).click();
    const row = view.getByRole('row', { name: /grace@example\.com/ });
    await row.getByText('Manager', { exact: true }).waitFor();
    expect(page.path).toMatch(/^\/projects\/[0-9a-f-]{36}\?tab=members$/);
    expect(await faultsOf(page, 'project-members')).toEqual([]);
  });

  it('are created with managers, a plan and a budget in one dialog, and the list shows them', async () => {
    await browser.gateway.createPerson({ email: 'barbara@example.com', name: 'Barbara Liskov' });
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/projects?scope=all');
    await view.getByRole('button', { name: 'Create project' }).first().click();
    const dialog = view.getByRole('dialog', { name: 'Create a project' });
    await dialog.getByLabel('Name').fill('search');
    const managers = dialog.getByRole('combobox', { name: 'Managers' });
    for (const [text, email] of [
      ['Grace', 'grace@example.com'],
      ['Barbara', 'barbara@example.com'],
    ] as const) {
      await managers.fill(text);
      await view.getByRole('option', { name: email }).click();
    }
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await view.getByRole('option', { name: 'Pro' }).click();
    await dialog.getByRole('textbox', { name: 'Budget per month' }).fill('40');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByText('There is already a project named search.').waitFor();
    expect(await faultsOf(page, 'create-project')).toEqual([]);
    await dialog.getByLabel('Name').fill('Atlas');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await view.getByRole('heading', { name: 'Atlas', level: 1 }).waitFor();
    await view.getByText('· Plan Pro').waitFor();
    await page.open('/projects?scope=all');
    const row = view.getByRole('row', { name: /Atlas/ });
    expect(await row.innerText()).toMatch(
      /barbara@example\.com, grace@example\.com\s+2 members[\s\S]*\$0\.00 of \$40\.00 per month[\s\S]*Pro/,
    );
    expect(await faultsOf(page, 'projects-with-budgets')).toEqual([]);
  });

  it('have keys that their managers create, for the project and for its service accounts', async () => {
    const id = await projects.create('Ranking');
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open(`/projects/${id}?tab=keys`);
    expect(await projects.call(await createKey(page, 'ranking-api'))).toBe(200);
    await view.getByRole('tab', { name: /^Service accounts/ }).click();
    await view.getByRole('button', { name: 'Create service account' }).click();
    const dialog = view.getByRole('dialog', { name: 'Create a service account' });
    await dialog.getByLabel('Name').fill('Nightly import');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await view.getByRole('row', { name: /Nightly import/ }).waitFor();
    expect(await faultsOf(page, 'project-accounts')).toEqual([]);
    await view.getByRole('tab', { name: /^Keys/ }).click();
    expect(await projects.call(await createKey(page, 'import', 'Nightly import (service account)'))).toBe(200);
    const row = view.getByRole('row', { name: /^import/ });
    await row.getByText('Nightly import').waitFor();
    expect(await faultsOf(page, 'project-keys')).toEqual([]);
  });

  it('have limits: managers can set less than administrators, not more, and see what is left', async () => {
    const id = await projects.create('Billing');
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open(`/projects/${id}`);
    await view.getByText('$0.00 of $5.00 · $5.00 left').waitFor();
    await view.getByRole('button', { name: 'Limits' }).click();
    const dialog = view.getByRole('dialog', { name: 'Limits of Billing' });
    await dialog.getByText('At most $5.00 per month').waitFor();
    const budget = dialog.getByRole('textbox', { name: 'Budget per month' });
    await budget.fill('50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('[data-error]').first().waitFor();
    expect(await budget.getAttribute('aria-invalid')).toBe('true');
    expect(await page.accessibilityFaults()).toEqual([]);
    await budget.fill('2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText('$0.00 of $2.00 · $2.00 left').waitFor();
    await view.getByText('Managers can set at most $5.00 per month.').waitFor();
    expect(await faultsOf(page, 'project-overview')).toEqual([]);
  });

  it('are visible only to members, who cannot change them', async () => {
    const id = await projects.create('Crawler');
    const page = await browser.open({ as: member });
    const { view } = page;
    await page.open('/projects');
    const row = view.getByRole('row', { name: /Crawler/ });
    await row.getByText('Member', { exact: true }).waitFor();
    expect(await faultsOf(page, 'projects-list')).toEqual([]);
    await row.getByRole('link', { name: 'Crawler' }).click();
    await view.getByText('$0.00 of $5.00 · $5.00 left').waitFor();
    expect(await view.getByRole('button', { name: 'Limits' }).count()).toBe(0);
    for (const tab of ['keys', 'members', 'accounts']) {
      await page.open(`/projects/${id}?tab=${tab}`);
      expect(await view.getByRole('button', { name: /^(Create|Add|Actions)/ }).count()).toBe(0);
    }
    const stranger = await browser.gateway.createPerson();
    const other = await browser.open({ as: stranger });
    const statusOf = (path: string) => other.view.evaluate(`fetch('${path}').then(({ status }) => status)`);
    const day = 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z';
    await other.open('/projects');
    expect(await statusOf(`/api/projects/${id}`)).toBe(404);
    expect(await statusOf(`/api/models?project=${id}`)).toBe(404);
    expect(await statusOf(`/api/usage?${day}&projects=${id}`)).toBe(404);
  });

  it('offer their keys in Create key on the page API Keys, to managers', async () => {
    await projects.create('Ads');
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open('/keys');
    await view.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = view.getByRole('dialog');
    await dialog.getByText('A project', { exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Project' }).click();
    await view.getByRole('option', { name: 'Ads' }).click();
    await dialog.getByText('All models that the project can call').waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('project-key-from-keys');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ads-key');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await view.getByRole('heading', { name: 'ads-key is ready' }).waitFor();
  });

  it('show members the page of a key without actions, and managers with them', async () => {
    const { id: key } = await projects.createKey(await projects.create('Maps'), 'tiles');
    for (const [as, changes] of [
      [member, 0],
      [manager, 1],
    ] as const) {
      const page = await browser.open({ as });
      const knowsRole = page.view.waitForResponse(/\/api\/projects\/[^/]+$/);
      await page.open(`/keys/${key}`);
      await page.view.getByRole('heading', { name: 'tiles' }).waitFor();
      await (await knowsRole).finished();
      if (changes > 0) await page.view.getByRole('button', { name: 'Rotate', exact: true }).waitFor();
      for (const name of ['Edit', 'Rotate', 'Revoke', 'More actions for tiles']) {
        expect(await page.view.getByRole('button', { name, exact: true }).count()).toBe(changes);
      }
    }
  });

  it('show members their requests, by a filter and from the page of a key', async () => {
    const id = await projects.create('Video');
    const made = await projects.createKey(id, 'clips');
    expect(await projects.call(made.key)).toBe(200);
    const page = await browser.open({ as: member });
    const { view } = page;
    const rows = view.getByRole('table', { name: 'Requests' }).locator('tbody tr');
    await page.open('/requests');
    expect(await rows.count()).toBe(0);
    await view.getByRole('button', { name: 'Project' }).click();
    await view.getByRole('dialog', { name: 'Project' }).getByRole('checkbox', { name: 'Video' }).click();
    await rows.filter({ hasText: 'clips' }).waitFor();
    await view.getByRole('button', { name: 'Remove the filter Project Video' }).waitFor();
    await page.open(`/keys/${made.id}`);
    await view.getByRole('link', { name: 'All failed and refused requests' }).click();
    await view.getByRole('button', { name: 'Remove the filter Project Video' }).waitFor();
    await view.getByRole('button', { name: 'Remove the filter Key clips' }).waitFor();
    await page.open(`/projects/${id}`);
    await view.getByRole('link', { name: 'View requests' }).click();
    await rows.filter({ hasText: 'clips' }).waitFor();
  });

  it('get a plan from administrators', async () => {
    const id = await projects.create('Vision');
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open(`/projects/${id}`);
    await view.getByText('Plan Free').waitFor();
    await view.getByRole('button', { name: 'More' }).click();
    await view.getByRole('menuitem', { name: 'Change plan' }).click();
    const dialog = view.getByRole('dialog', { name: 'Plan of Vision' });
    await dialog.getByText('Without a grant it is Free').waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Grant plan' }).click();
    await view.getByText('· Plan Pro').waitFor();
    const managers = await browser.open({ as: manager });
    await managers.open(`/projects/${id}`);
    await managers.view.getByRole('button', { name: 'More' }).click();
    await managers.view.getByRole('menuitem', { name: 'Rename' }).waitFor();
    expect(await managers.view.getByRole('menuitem', { name: 'Change plan' }).count()).toBe(0);
  });

  it('show that prompts and answers of their keys are stored, until a manager stops it', async () => {
    const id = await projects.create('Support');
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open(`/projects/${id}`);
    const change = async (item: string, confirm: string, done: string) => {
      await view.getByRole('button', { name: 'More' }).click();
      await view.getByRole('menuitem', { name: item }).click();
      const dialog = view.getByRole('dialog');
      expect(await page.accessibilityFaults()).toEqual([]);
      await dialog.getByRole('button', { name: confirm }).click();
      await view.getByText(`The content log of Support is ${done}`).waitFor();
      await dialog.waitFor({ state: 'hidden' });
      const { logsContent } = await browser.gateway.services.get(ProjectsService).get(id);
      expect(logsContent).toBe(done === 'on');
    };
    await change('Store prompts and answers', 'Store prompts and answers', 'on');
    expect(await faultsOf(page, 'project-content-log')).toEqual([]);
    await change('Stop storing content', 'Stop storing', 'off');
  });

  it('are archived by administrators, who see them unchanged afterwards', async () => {
    const id = await projects.create('Old');
    const { key } = await projects.createKey(id, 'old-key');
    expect(await projects.call(key)).toBe(200);
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open(`/projects/${id}`);
    await view.getByRole('button', { name: 'More' }).click();
    await view.getByRole('menuitem', { name: 'Archive' }).click();
    await view.getByRole('dialog').getByRole('button', { name: 'Archive project' }).click();
    await view.getByText('Old is archived').waitFor();
    expect(await projects.call(key)).toBe(403);
    await view.getByRole('button', { name: 'Limits' }).waitFor({ state: 'detached' });
    expect(await faultsOf(page, 'project-archived')).toEqual([]);
  });

  it('show which members single sign-on added; only single sign-on removes them', async () => {
    const id = await projects.create('Sales');
    const { services } = browser.gateway;
    const user = await services.get(UsersService).create({ email: 'sso@example.com' }, GATEWAY);
    const { manager: database } = services.get(DataSource);
    await services.get(ProjectMembersService).syncGroups(database, user, new Map([[id, 'member']]), GATEWAY);
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open(`/projects/${id}?tab=members`);
    await view.getByRole('row', { name: /sso@example\.com.*A single sign-on group/ }).waitFor();
    await view.getByRole('button', { name: 'Actions for sso@example.com' }).click();
    expect(await view.getByRole('menuitem', { name: 'Removed by single sign-on' }).isDisabled()).toBe(true);
  });

  it('filter the usage of all users', async () => {
    const id = await projects.create('Weather');
    await projects.call((await projects.createKey(id, 'forecast')).key);
    const page = await browser.open({ as: admin });
    await page.open('/usage?scope=all');
    const { view } = page;
    await view.getByRole('button', { name: 'Filter' }).click();
    const filter = view.getByRole('dialog', { name: 'Filter' });
    await filter.getByText('Project', { exact: true }).click();
    await filter.getByText('Weather').click();
    await view.getByRole('button', { name: 'Remove the filter Project Weather' }).waitFor();
    await page.settled();
    expect(page.path).toContain(`projects=${id}`);
  });
});
