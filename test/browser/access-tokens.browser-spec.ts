import { afterEach, describe, expect, it } from '@jest/globals';
import { ProjectsService } from '../../src/accounts/projects.service.js';
import { ServiceAccountsService } from '../../src/accounts/service-accounts.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { AccessTokensService } from '../../src/auth/access-tokens.service.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const browser = await ConsoleBrowser.start();
const admin = await browser.gateway.createPerson({ role: 'admin' });
const member = await browser.gateway.createPerson();
afterEach(() => browser.closePages());

/** The faults of the current page, wide and narrow. */
async function faultsOf(page: ConsolePage): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.view.setViewportSize({ width, height: 900 });
    faults.push(...(await page.accessibilityFaults()), ...(await page.sidewaysFaults()));
  }
  await page.view.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

const statusOf = async (token: string) =>
  (await browser.gateway.get('/api/limits', { authorization: `Bearer ${token}` })).status;

describe('access tokens', () => {
  it('are created on the account page after a recent sign-in, shown once, and revoked', async () => {
    const page = await browser.open({ as: member });
    const { view } = page;
    await page.open('/account');
    await view.getByText('No access tokens yet.').waitFor();
    await browser.gateway.database.query(
      "UPDATE sessions SET created_at = now() - interval '1 hour' WHERE user_id = $1",
      [member.id],
    );
    await view.getByRole('button', { name: 'Create access token' }).click();
    const dialog = view.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('deploy');
    expect(await dialog.getByRole('checkbox', { name: /^Invite, change, disable/ }).count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'See usage, costs and limits' }).check();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Password' }).fill(member.password);
    await dialog.getByRole('button', { name: 'Sign in and create' }).click();
    const token = await dialog.getByLabel('Your access token').inputValue();
    expect(token).toMatch(/^gat_/);
    expect(await page.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await statusOf(token)).toBe(200);
    await view.getByRole('list', { name: 'Access tokens' }).getByText('deploy').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await view.getByRole('button', { name: 'Revoke deploy' }).click();
    await view.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await view.getByRole('list', { name: 'Access tokens' }).getByText('revoked').waitFor();
    expect(await statusOf(token)).toBe(401);
  });

  it('access tokens of a service account are created in its project, with the permissions that an administrator gives', async () => {
    const project = await browser.gateway.services.get(ProjectsService).create('Search', GATEWAY);
    await browser.gateway.services.get(ServiceAccountsService).create(project.id, 'crawler', GATEWAY);
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open(`/projects/${project.id}`);
    await view.getByRole('tab', { name: /^Service accounts/ }).click();
    await view.getByRole('button', { name: /crawler/ }).click();
    await view.getByRole('menuitem', { name: 'Access tokens' }).click();
    const dialog = view.getByRole('dialog', { name: 'Access tokens of crawler' });
    expect(await dialog.getByRole('button', { name: 'Create access token' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'See usage, costs and limits' }).check();
    await dialog.getByRole('button', { name: 'Save permissions' }).click();
    await dialog.getByRole('button', { name: 'Create access token' }).click();
    const form = view.getByRole('dialog', { name: 'Create an access token' });
    await form.getByRole('textbox', { name: 'Name' }).fill('nightly');
    await form.getByRole('checkbox', { name: 'See usage, costs and limits' }).check();
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    expect(await statusOf(await form.getByLabel('Your access token').inputValue())).toBe(200);
  });
});

it('The page of roles shows which role may do what', async () => {
  const page = await browser.open({ as: member });
  await page.open('/account');
  await page.view.getByRole('link', { name: 'Roles and permissions' }).click();
  const row = page.view.getByRole('row', { name: /^Create, change, rotate and revoke API keys/ });
  await row.waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    'Create, change, rotate and revoke API keys',
    'everything',
    'in the project',
    '–',
    'own',
  ]);
  expect(await faultsOf(page)).toEqual([]);
});

describe('provisioning by SCIM', () => {
  it('is shown in the settings: whether it is on, its address and its last request', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/settings');
    const status = view.getByRole('group', { name: 'Users from your identity provider (SCIM)' });
    await status.getByText('Off: no access token').waitFor();
    await status.getByText('None so far').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const { gateway } = browser;
    const provider = { userId: admin.id, name: 'provider', scopes: ['scim'] };
    const { token } = await gateway.services.get(AccessTokensService).create(provider, GATEWAY);
    const answer = await gateway.get('/scim/v2/Users', { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
    await page.open('/settings');
    await status.getByText('On', { exact: true }).waitFor();
    await status.getByText(`${gateway.url}/scim/v2`).waitFor();
    await status.getByText(/ago|just now|now/i).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.screenshot('settings-scim');
  });
});
