import { afterEach, describe, expect, it } from '@jest/globals';
import { WelcomeService } from '../../src/lifecycle/welcome.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';

const browser = await ConsoleBrowser.start();
afterEach(() => browser.closePages());

/** The status of a call to the API with this key. */
async function call(key: string): Promise<number> {
  const reply = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 5 }),
  });
  await reply.text();
  return reply.status;
}

describe('a new gateway', () => {
  it('leads from the setup link to an administrator, a key, a call, its usage, and a revoked key', async () => {
    const { gateway } = browser;
    const link = await gateway.services.get(WelcomeService).setupLink(gateway.url);
    const [, path = ''] = /http:\/\/[^/]+(\/setup#\S+)/.exec(link ?? '') ?? [];
    const page = await browser.open();
    const { view } = page;

    await page.open(path);
    expect(page.path).toBe('/setup');
    await view.reload();
    await view.getByLabel('E-mail').fill('ada@example.com');
    await view.getByLabel('Name').fill('Ada Lovelace');
    await view.getByRole('button', { name: 'Continue' }).click();
    await view.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await view.getByRole('button', { name: 'Finish and sign in' }).click();
    await view.waitForURL('/');
    await page.settled();
    const start = view.getByText(/waiting for your first request/i);
    await start.waitFor();

    await view.getByText('Answers are simulated').waitFor();
    await view.getByText(/at no cost/).waitFor();
    const example = /"model": ?"([^"]+)"/.exec((await view.locator('pre').first().textContent()) ?? '')?.[1];

    await view.getByRole('button', { name: 'Another base URL' }).click();
    await view.getByRole('menuitem', { name: /For apps that list models/ }).click();
    expect(await view.evaluate('navigator.clipboard.readText()')).toBe(`${gateway.url}/openai/v1`);

    await view.getByRole('link', { name: 'Create key' }).click();
    await view.waitForURL(/\/keys/);
    const dialog = view.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('ada-laptop');
    await dialog.getByLabel('Name').press('Enter');
    const key = await dialog.getByLabel('Your API key').inputValue();
    expect(key).toMatch(/^svc_\w+$/);
    expect(await dialog.locator('pre').first().textContent()).toContain(`"${example}"`);
    await view.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('You have not copied the key yet').waitFor();
    await dialog.getByRole('button', { name: 'Go back' }).click();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    expect(await view.evaluate('navigator.clipboard.readText()')).toBe(key);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await view.content()).not.toContain(key);
    const stored = await view.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])');
    expect(stored).not.toContain(key.slice(0, 12));

    await view.waitForURL('/');
    await view.getByText('You have a key.').waitFor();
    await start.waitFor();
    expect(await call(key)).toBe(200);
    await start.waitFor({ state: 'detached', timeout: 60_000 });

    await eventually(async () => {
      await page.open('/requests');
      return (await view.getByText('gpt-6-luna').count()) > 0;
    });

    await page.open('/keys');
    await view
      .getByRole('row', { name: /ada-laptop/ })
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await view.getByRole('menuitem', { name: 'Revoke' }).click();
    await view.getByRole('alertdialog').getByText('1 request in the last 24 hours').waitFor();
    await view.getByRole('button', { name: 'Revoke key' }).click();
    await view.getByRole('alertdialog').waitFor({ state: 'hidden' });
    await eventually(async () => (await call(key)) === 401, 1000);
    await view.getByRole('row', { name: /ada-laptop/ }).waitFor({ state: 'detached' });
  });

  it('shows the same example on the overview and the keys page, with its languages in one line on a phone', async () => {
    const person = await browser.gateway.createPerson();
    const page = await browser.open({ as: person, width: 360 });
    const modelShown = async () =>
      /"model": ?"([^"]+)"/.exec((await page.view.locator('pre').first().textContent()) ?? '')?.[1];
    await page.open('/');
    const example = await modelShown();
    expect(example).toBeDefined();
    const tabs = await page.view.getByRole('tablist', { name: 'Language' }).getByRole('tab').all();
    const heights = await Promise.all(tabs.map(async (tab) => (await tab.boundingBox())?.y));
    expect(new Set(heights).size).toBe(1);
    await page.open('/keys');
    expect(await modelShown()).toBe(example);
  });
});
