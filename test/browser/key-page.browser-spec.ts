import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { bearer } from '../support/console-keys.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData } from './support/demo-data.js';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

describe('the page of a key', () => {
  it('opens from the list, and shows owner, models, limits, usage and errors', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/keys?scope=all&q=grace-compiler');
    await view.getByRole('link', { name: 'grace-compiler' }).click();
    await view.getByRole('heading', { level: 1, name: 'grace-compiler' }).waitFor();
    await page.settled();
    expect(page.path).toBe(`/keys/${demo.keys[2]}`);
    const text = await view.getByRole('main').innerText();
    expect(text).toMatch(/Owner\s+grace@example\.com/);
    expect(text).toMatch(/Models\s+gpt-6-luna\s+claude-sonnet-5.5/);
    expect(text).toMatch(/In total\s+\$[\d.]+ of \$[\d.]+/);
    const usage = view.getByRole('region', { name: 'Usage, last 30 days' });
    expect(await usage.getByRole('row', { name: /claude-sonnet-5.5/ }).innerText()).toMatch(/\d/);
    expect(await usage.locator('svg rect').count()).toBeGreaterThan(10);
    const errors = view.getByRole('region', { name: 'Recent errors' });
    await errors
      .getByRole('link', { name: /^Failed/ })
      .first()
      .click();
    await view.getByRole('dialog').waitFor();
    expect(page.path).toContain('/requests?');
    expect(page.path).toContain(`keys=${demo.keys[2]}`);
  });

  it('renames and revokes it', async () => {
    const { id } = await newKey('temporary');
    const page = await browser.open({ as: demo.member });
    const { view } = page;
    await page.open(`/keys/${id}`);
    await view.getByRole('button', { name: 'Rename temporary' }).click();
    await view.getByRole('textbox', { name: 'New name of temporary' }).fill('renamed');
    await view.keyboard.press('Enter');
    await view.getByRole('heading', { level: 1, name: 'renamed' }).waitFor();
    await view.getByRole('button', { name: 'Revoke', exact: true }).click();
    await view.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
    await view.getByText('Revoked', { exact: true }).waitFor();
    expect(await view.getByRole('button', { name: 'Rotate', exact: true }).count()).toBe(0);
  });

  it('shows the last use of each secret, and ends the previous one', async () => {
    const { gateway } = browser;
    const { id, key: old, display } = await newKey('rotated');
    await gateway.services.get(ApiKeysService).rotate({ id }, '7d', GATEWAY);
    expect((await gateway.get('/v1/models', bearer(old))).status).toBe(200);
    const page = await browser.open({ as: demo.member });
    const { view } = page;
    await page.open(`/keys/${id}`);
    const previous = view.getByRole('row', { name: new RegExp(display) });
    // Uses are written every few seconds.
    await previous.locator('time').nth(1).waitFor({ timeout: 30_000 });
    expect(await view.getByRole('row', { name: /Current/ }).innerText()).toContain('Never');
    await previous.getByRole('button', { name: 'End now' }).click();
    const dialog = view.getByRole('dialog', { name: 'End the previous secret?' });
    await dialog.getByRole('button', { name: 'End now' }).click();
    await previous.waitFor({ state: 'detached' });
    await eventually(async () => (await gateway.get('/v1/models', bearer(old))).status === 401);
  });

  it('the page of a key of another user does not exist for a member', async () => {
    const page = await browser.open({ as: demo.member });
    await page.open(`/keys/${demo.keys[0]}`);
    await page.view.getByText('Key not found').waitFor();
    expect(await page.view.getByRole('main').innerText()).not.toContain('ada');
    browser.takeErrors();
  });
});

async function newKey(name: string) {
  return browser.gateway.services.get(ApiKeysService).create({ userId: demo.member.id, name }, GATEWAY);
}
