import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData } from './support/demo-data.js';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

describe('the page of a user', () => {
  it('opens from the list, and shows plan, limits, keys, usage and errors', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/users');
    await view.getByRole('link', { name: 'grace@example.com' }).click();
    await view.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    await page.settled();
    expect(page.path).toBe(`/users/${demo.member.id}`);
    const text = await view.getByRole('main').innerText();
    expect(text).toMatch(/E-mail\s+grace@example\.com/);
    expect(text).toMatch(/Plan\s+Pro\s+since .* until /);
    expect(text).toMatch(/This month\s+\$[\d.]+ of \$60\.00/);
    const keys = view.getByRole('region', { name: 'Keys', exact: true });
    expect(await keys.getByRole('row').count()).toBe(3);
    expect(await keys.innerText()).not.toContain('ada-laptop');
    const usage = view.getByRole('region', { name: 'Usage, last 30 days' });
    expect(await usage.getByRole('row', { name: /claude-sonnet-5.5/ }).innerText()).toMatch(/\$[\d.]+/);
    const errors = view.getByRole('region', { name: 'Recent errors' });
    expect(await errors.getByRole('link', { name: /^(Failed|Refused)/ }).count()).toBeGreaterThan(0);
    await keys.getByRole('link', { name: 'batch-jobs' }).click();
    await view.getByRole('heading', { level: 1, name: 'batch-jobs' }).waitFor();
    expect(page.path).toBe(`/keys/${demo.keys[3]}`);
  });

  it('opens by the former address of the drawer, and disables the user', async () => {
    const person = await browser.gateway.createPerson({ email: 'leaver@example.com', name: 'Leaver' });
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open(`/users?user=${person.id}`);
    expect(page.path).toBe(`/users/${person.id}`);
    await view.getByRole('button', { name: 'Disable…' }).click();
    await view.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await view.getByRole('button', { name: 'Enable' }).waitFor();
    await view.getByText('Disabled', { exact: true }).waitFor();
  });

  it('is for administrators only', async () => {
    const page = await browser.open({ as: demo.member });
    await page.open(`/users/${demo.member.id}`);
    await page.view.getByText('Page not found').waitFor();
  });
});
