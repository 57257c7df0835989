import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { UsersService } from '../../src/accounts/users.service.js';
import { PlansService } from '../../src/billing/plans.service.js';
import { UserLimitsService } from '../../src/limits/settings/limit-settings.service.js';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

let browser: ConsoleBrowser;
let admin: TestPerson;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
  admin = await browser.gateway.createPerson({ role: 'admin', email: 'ada@example.com' });
  await browser.gateway.createPerson({ email: 'grace@example.com', name: 'Grace Hopper' });
});
afterEach(() => browser?.closePages());

const userOf = (email: string) => browser.gateway.services.get(UsersService).getByEmail(email);

/** The faults of the open page and its dialog, wide and narrow, in a window of another size each. */
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

describe('several people', () => {
  it('are added from a list: first a preview with the fault of each line, then all, with their links', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/users');
    await view.getByRole('button', { name: 'Add several' }).click();
    const dialog = view.getByRole('dialog', { name: 'Add several people' });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('Enter at least one e-mail address.').waitFor();
    const list = dialog.getByLabel('People');
    await list.fill(
      'E-mail;Name;Plan\nzoe@example.com;Zoe;pro\ngrace@example.com;Grace\nmia@example.com;Mia;gold\nno address',
    );
    expect(await faultsOf(page, 'add-people-text')).toEqual([]);
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('3 lines have a problem.').waitFor();
    const stateOf = async (text: string) => dialog.getByRole('row').filter({ hasText: text }).innerText();
    expect(await stateOf('zoe@example.com')).toMatch(/2\s+zoe@example\.com\s+Zoe\s+Member\s+pro\s+Ready/);
    expect(await stateOf('mia@example.com')).toContain('There is no plan ‘gold’.');
    expect(await stateOf('Grace')).toContain('There is already a user with the e-mail address grace@example.com.');
    expect(await stateOf('no address')).toContain('The e-mail address is not valid.');
    expect(await dialog.getByRole('button', { name: 'Add 4 people' }).isDisabled()).toBe(true);
    expect(await faultsOf(page, 'add-people-preview')).toEqual([]);
    await dialog.getByRole('button', { name: 'Back to the text' }).click();
    await list.fill('zoe@example.com, Zoe, admin, pro\nmia@example.com\ngrace@example.com');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Leave out 1 line' }).click();
    await dialog.getByText('2 people will be added.').waitFor();
    await dialog.getByRole('button', { name: 'Add 2 people' }).click();
    const links = view.getByRole('dialog', { name: 'Share these links' });
    await links.getByRole('row', { name: /mia@example\.com/ }).waitFor();
    expect(await faultsOf(page, 'add-people-links')).toEqual([]);
    await links.getByRole('button', { name: 'Done' }).click();
    await links.getByText('The links have not been copied. Close anyway?').waitFor();
    await links.getByRole('button', { name: 'Copy all' }).click();
    await links.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await view.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^zoe@example\.com\thttp\S+\/password#\S+\nmia@example\.com\thttp\S+\/password#\S+$/);
    await links.getByRole('button', { name: 'Done' }).click();
    await links.waitFor({ state: 'hidden' });
    const row = view.getByRole('row', { name: /zoe@example\.com/ });
    expect(await row.innerText()).toMatch(/Admin[\s\S]*Pro[\s\S]*Invited/);
  });

  it('can be in a file', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/users');
    await view.getByRole('button', { name: 'Add several' }).click();
    const dialog = view.getByRole('dialog', { name: 'Add several people' });
    const content = '\uFEFFname,email\r\n"Hamilton, Margaret",margaret@example.com\r\n';
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Add 1 person' }).click();
    await view.getByRole('dialog', { name: 'Share these links' }).waitFor();
    expect((await userOf('margaret@example.com')).name).toBe('Hamilton, Margaret');
  });
});

describe('the selected users', () => {
  const EMAILS = ['one@team.example', 'two@team.example', 'three@team.example'];

  beforeAll(async () => {
    for (const email of EMAILS) await browser.gateway.createPerson({ email });
  });

  async function selected() {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/users?q=team.example');
    await view.getByLabel('Select all rows').check();
    return { page, view, bar: view.getByRole('region', { name: 'Selected rows' }) };
  }

  it('get a plan after a question that says how many they are', async () => {
    const { page, view, bar } = await selected();
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Set plan' }).click();
    const dialog = view.getByRole('dialog', { name: 'Set the plan of 3 users' });
    await dialog.getByRole('combobox', { name: 'Plan' }).click();
    await view.getByRole('option', { name: 'Pro' }).click();
    expect(await faultsOf(page, 'bulk-plan')).toEqual([]);
    await dialog.getByRole('button', { name: 'Set plan of 3 users' }).click();
    await view.getByText('The plan of 3 users is now Pro').waitFor();
    const ids = await Promise.all(EMAILS.map(async (email) => (await userOf(email)).id));
    const plans = await browser.gateway.services.get(PlansService).currentOf(ids);
    expect(ids.map((id) => plans.get(id)?.plan.id)).toEqual(['pro', 'pro', 'pro']);
  });

  it('get limits, of which empty fields do not change', async () => {
    const { id } = await userOf('two@team.example');
    const limits = browser.gateway.services.get(UserLimitsService);
    const { view, bar, page } = await selected();
    await bar.getByRole('button', { name: 'Set limits' }).click();
    const dialog = view.getByRole('dialog', { name: 'Set the limits of 3 users' });
    await dialog.getByRole('textbox', { name: 'Budget per month' }).fill('12.5');
    await dialog.getByRole('button', { name: 'No limit: Requests per minute' }).click();
    expect(await faultsOf(page, 'bulk-limits')).toEqual([]);
    await dialog.getByRole('button', { name: 'Set limits of 3 users' }).click();
    await view.getByText('The limits of 3 users are set').waitFor();
    expect((await limits.get(id)).own).toEqual({
      budgetMonthNanodollars: 12_500_000_000n,
      requestsPerMinute: null,
    });
  });

  it('are disabled and enabled again, without those that are so already', async () => {
    const first = await userOf('one@team.example');
    const { page, view, bar } = await selected();
    await bar.getByRole('button', { name: 'Disable' }).click();
    const dialog = view.getByRole('dialog', { name: 'Disable 3 users?' });
    expect(await faultsOf(page, 'bulk-disable')).toEqual([]);
    await dialog.getByRole('button', { name: 'Disable 3 users' }).click();
    await view.getByText('Disabled 3 users').waitFor();
    expect((await userOf(first.email)).disabledAt).not.toBeNull();
    await view.getByLabel('Select all rows').check();
    expect(await bar.getByRole('button', { name: 'Disable' }).count()).toBe(0);
    await bar.getByRole('button', { name: 'Enable' }).click();
    await view.getByRole('dialog', { name: 'Enable 3 users?' }).getByRole('button', { name: 'Enable 3 users' }).click();
    await view.getByText('Enabled 3 users').waitFor();
    expect((await userOf(first.email)).disabledAt).toBeNull();
  });

  it('are changed one by one: whom the gateway refuses is named, and the others are changed', async () => {
    const { view, bar } = await selected();
    await bar.getByRole('button', { name: 'Disable' }).click();
    const { id } = await userOf('two@team.example');
    await view.route(`**/api/users/${id}`, (route) =>
      route.fulfill({
        status: 400,
        json: {
          error: { message: 'Not this one.', type: 'invalid_request_error', param: null, code: 'invalid_value' },
        },
      }),
    );
    await view.getByRole('dialog').getByRole('button', { name: 'Disable 3 users' }).click();
    await view.getByText('2 users were changed, 1 could not be changed:').waitFor();
    await view.getByText('two@team.example: Not this one.').waitFor();
    expect((await userOf('three@team.example')).disabledAt).not.toBeNull();
    expect((await userOf('two@team.example')).disabledAt).toBeNull();
  });

  it('never include the administrator who disables them', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/users?q=ada@example.com');
    await view.getByLabel('Select all rows').check();
    const bar = view.getByRole('region', { name: 'Selected rows' });
    await bar.getByRole('button', { name: 'Set plan' }).waitFor();
    expect(await bar.getByRole('button', { name: 'Disable' }).count()).toBe(0);
  });
});
