import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData } from './support/demo-data.js';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

async function back(page: ConsolePage): Promise<void> {
  await page.view.goBack();
  await page.settled();
}

describe('the browser’s history', () => {
  it('includes the pages and the drawer of a request', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/');
    await view.getByRole('link', { name: 'Usage', exact: true }).click();
    await view.waitForURL('/usage');
    await view.getByRole('link', { name: 'Requests', exact: true }).first().click();
    await view.waitForURL('/requests');
    await view.getByTitle('Show the details').first().click();
    const drawer = view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('Request id').waitFor();
    await back(page);
    await drawer.waitFor({ state: 'detached' });
    expect(page.path).toBe('/requests');
    await back(page);
    expect(page.path).toBe('/usage');
    await back(page);
    expect(page.path).toBe('/');
  });

  it('does not reopen a drawer that was closed by its own button', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/usage');
    await view.getByRole('link', { name: 'Requests', exact: true }).first().click();
    await view.getByTitle('Show the details').first().click();
    const drawer = view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('Request id').waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
    expect(page.path).toBe('/requests');
    await back(page);
    expect(page.path).toBe('/usage');
    expect(await drawer.count()).toBe(0);
  });

  it('includes the open entry of the audit log', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/audit');
    await page.view.getByRole('row').nth(1).click();
    await page.view.getByRole('dialog').getByText('What changed').waitFor();
    await page.view.reload();
    await page.view.getByRole('dialog').getByText('What changed').waitFor();
    await back(page);
    await page.view.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.path).toBe('/audit');
  });
});

describe('own or all users’ data', () => {
  it('is one choice for all pages, and remembered', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    const chosen = () => view.getByRole('radio', { name: /Everyone/ }).isChecked();
    // Administrators account for everyone's usage, so that page begins with it.
    for (const path of ['/usage', '/', '/keys']) {
      await page.open(path);
      expect([path, await chosen()]).toEqual([path, path === '/usage']);
    }
    await view.getByText('Everyone’s').click();
    for (const name of ['Overview', 'API Keys', 'Usage']) {
      await view.getByRole('link', { name, exact: true }).click();
      await page.settled();
      expect([name, await chosen()]).toEqual([name, true]);
    }
    await page.open('/keys?scope=mine');
    expect(await chosen()).toBe(false);
    await page.open('/keys');
    expect(await chosen()).toBe(true);
  });

  it('keeps the shortcuts working after a switch', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/keys');
    await view.getByText('Everyone’s').click();
    await page.settled();
    await view.keyboard.press('c');
    await view.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await view.keyboard.press('Escape');
    await view.getByRole('dialog').waitFor({ state: 'detached' });
    await view.getByText('Mine', { exact: true }).click();
    await page.settled();
    await view.keyboard.press('/');
    expect(await view.evaluate('document.activeElement.getAttribute("role")')).toBe('searchbox');
  });
});
