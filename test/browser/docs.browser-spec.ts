import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

let browser: ConsoleBrowser;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
});
afterAll(() => browser?.stop());

function operation(page: ConsolePage, name: RegExp): Locator {
  return page.view.getByRole('button', { name });
}

describe.each(['light', 'dark'] as const)('an opened operation of /docs, in the %s theme', (theme) => {
  it.each([1280, 360])('is accessible and scrolls only vertically, %i px wide', async (width) => {
    const page = await browser.open({ theme });
    await page.view.setViewportSize({ width, height: 900 });
    await page.open('/docs');
    await page.view.getByRole('searchbox').fill('chat/completions');
    await operation(page, /chat\/completions/).click();
    await page.view.getByRole('button', { name: 'Try it out' }).click();
    await page.view.getByRole('textbox', { name: 'Request body' }).waitFor();
    expect([
      ...(await page.accessibilityFaults()),
      ...(await page.sidewaysFaults()),
      ...page.watch.takeFaults(),
    ]).toEqual([]);
  });
});

describe('/docs', () => {
  it('offers to try the API with a key that it forgets with the page, but not the console’s operations', async () => {
    const { key } = (await browser.gateway.createUser({ plan: 'pro' })).key;
    const page = await browser.open();
    await page.open('/docs');
    await page.view.getByRole('button', { name: 'Set an API key' }).click();
    await page.view.getByLabel('Key', { exact: true }).fill(key);
    await page.view.getByRole('button', { name: 'Use this key' }).click();
    await operation(page, /\/v1\/models The models/).click();
    await page.view.getByRole('button', { name: 'Try it out' }).click();
    await page.view.getByRole('button', { name: 'Execute' }).click();
    await page.view.locator('.live-responses-table').getByText('200', { exact: true }).waitFor();
    const stored = await page.view.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).not.toContain(key);

    await page.open('/docs');
    await page.view.getByRole('button', { name: 'Set an API key' }).waitFor();
    await operation(page, /\/api\/session .*\bOpen/)
      .first()
      .click();
    await page.view.getByText('Responses', { exact: true }).first().waitFor();
    expect(await page.view.getByRole('button', { name: 'Try it out' }).count()).toBe(0);
  });

  it('finds operations by path and name, and says if there are none', async () => {
    const page = await browser.open();
    await page.open('/docs');
    const filter = page.view.getByRole('searchbox', { name: 'Filter the operations' });
    await filter.fill('CHAT/COMPLETIONS');
    expect(await page.view.locator('.docs-path').allInnerTexts()).toEqual(['/v1/chat/completions']);
    await filter.fill('no such thing');
    await page.view.getByText('No operation matches “no such thing”.').waitFor();
    expect(await page.view.evaluate<boolean>('document.activeElement.matches("input[type=search]")')).toBe(true);
  });

  it('opens the operation in its address', async () => {
    const page = await browser.open();
    await page.open('/docs#/Health/isLive');
    const isLive = page.view.getByRole('button', { name: /\/health\/live/, expanded: true });
    await isLive.waitFor();
    expect(await page.view.getByRole('button', { name: /\/health\/ready/, expanded: true }).count()).toBe(0);
  });
});
