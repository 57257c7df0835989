import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';

const browser = await ConsoleBrowser.start();
const person = await browser.gateway.createPerson({ role: 'admin' });
const key = { userId: person.id, name: 'laptop', expiresAt: null };
await browser.gateway.services.get(ApiKeysService).create(key, GATEWAY);
afterEach(() => browser.closePages());

const FOCUSED = 'document.activeElement.tagName + ":" + (document.activeElement.innerText || "")';

describe('the keyboard', () => {
  it('opens the palette, which finds a page', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/');
    await view.keyboard.press('Control+k');
    await view.getByRole('dialog').getByRole('textbox').waitFor();
    await view.keyboard.type('audit');
    await view.getByRole('dialog').getByText('Overview').waitFor({ state: 'detached' });
    await view.keyboard.press('Enter');
    await view.waitForURL('/audit');
    await page.settled();
    expect(await view.evaluate(FOCUSED)).toBe('H1:Audit log');
  });

  it('opens the palette with what is typed while it loads', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/');
    for (const text of ['audit', 'users']) {
      await view.keyboard.press('Control+k');
      await view.keyboard.type(text);
      const field = view.getByRole('dialog').getByRole('textbox');
      await field.waitFor();
      await eventually(async () => (await field.inputValue()) === text);
      await view.keyboard.press('Escape');
      await field.waitFor({ state: 'hidden' });
    }
  });

  it('opens the palette without the words of the last time', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/keys');
    const field = view.getByRole('dialog').getByRole('textbox');
    for (const leave of ['Escape', 'Enter', 'Escape']) {
      await view.keyboard.press('Control+k');
      await field.waitFor();
      expect(await field.inputValue()).toBe('');
      await view.keyboard.type('API Keys');
      await view.keyboard.press(leave);
      await field.waitFor({ state: 'hidden' });
    }
  });

  it('sorts a table of numbers with the largest first, and text from A', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/users');
    const head = (name: string) => view.getByRole('columnheader', { name });
    await head('This month').getByRole('button').click();
    await view.waitForURL(/sort=-spent/);
    expect(await head('This month').getAttribute('aria-sort')).toBe('descending');
    await head('Role').getByRole('button').click();
    await view.waitForURL(/sort=role/);
    expect(await head('Role').getAttribute('aria-sort')).toBe('ascending');
  });

  it('follows a link, and focuses the heading of the page', async () => {
    const page = await browser.open({ as: person });
    await page.open('/');
    await page.view.getByRole('link', { name: 'API Keys' }).focus();
    await page.view.keyboard.press('Enter');
    await page.view.waitForURL('/keys');
    await page.settled();
    expect(await page.view.evaluate(FOCUSED)).toBe('H1:API Keys');
    expect(await page.view.title()).toMatch(/^API Keys/);
  });

  it('skips to the content first', async () => {
    const page = await browser.open({ as: person });
    await page.open('/keys');
    await page.view.evaluate('document.activeElement.blur()');
    await page.view.keyboard.press('Tab');
    expect(await page.view.evaluate(FOCUSED)).toMatch(/^A:skip to/i);
    await page.view.keyboard.press('Enter');
    expect(await page.view.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  it('creates a key with c, searches with /, and shows the shortcuts with ?', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/keys');
    await view.keyboard.press('/');
    expect(await view.evaluate(FOCUSED)).toBe('INPUT:');
    await view.keyboard.type('c?/');
    expect(await view.getByRole('dialog').count()).toBe(0);
    await view.keyboard.press('Escape');
    await view.locator('h1').click();
    await view.keyboard.press('c');
    await view.getByRole('dialog', { name: 'Create an API key' }).waitFor();
    await view.keyboard.press('Escape');
    await view.getByRole('dialog').waitFor({ state: 'detached' });
    await view.keyboard.press('?');
    await view.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });

  it('stays in a dialog, and returns to its previous position', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/keys');
    const opener = view.getByRole('button', { name: 'Create key' }).first();
    await opener.focus();
    await view.keyboard.press('Enter');
    const dialog = view.getByRole('dialog');
    await dialog.waitFor();
    for (let tabs = 0; tabs < 30; tabs++) {
      await view.keyboard.press('Tab');
      expect(await view.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true);
    }
    await view.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await view.evaluate(FOCUSED)).toBe('BUTTON:Create key');
  });
});

describe('the theme', () => {
  it.each([
    ['dark', 'light', true],
    ['light', 'dark', false],
  ] as const)('%s, once chosen, applies from the first paint on a %s system', async (chosen, theme, isDark) => {
    const page = await browser.open({ as: person, theme });
    const { view } = page;
    await page.open('/');
    await view.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${chosen}')`);
    // Without its scripts the page shows its state before they are loaded.
    await view.route('**/assets/*.js', (route) => route.abort());
    await view.goto('/', { waitUntil: 'domcontentloaded' });
    const scheme = await view.evaluate('document.documentElement.getAttribute("data-mantine-color-scheme")');
    expect(scheme).toBe(chosen);
    await view.waitForFunction(() => true);
    const shot = await view.screenshot({ clip: { x: 600, y: 400, width: 1, height: 1 } });
    const dark = await isDarkPixel(page.view, shot);
    expect(dark).toBe(isDark);
    page.watch.takeFaults();
  });
});

/** Whether the single pixel of a screenshot is dark. */
async function isDarkPixel(view: import('playwright-core').Page, png: Buffer): Promise<boolean> {
  const blank = await view.context().newPage();
  await blank.goto('about:blank');
  const sum = await blank.evaluate(
    `(async () => {
      const image = await createImageBitmap(await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob());
      const canvas = new OffscreenCanvas(1, 1).getContext('2d');
      canvas.drawImage(image, 0, 0);
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
      return red + green + blue;
    })()`,
  );
  return Number(sum) < 200;
}
