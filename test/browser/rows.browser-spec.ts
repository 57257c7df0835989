import { afterEach, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData } from './support/demo-data.js';

/** A busy browser draws the highlight later. */
const MAX_FRAMES = 20;
const FRAME_MS = 50;

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

const row = ({ view }: ConsolePage) => view.locator('main table').first().locator('tbody tr').first();

/** Whether the pointer over the row changes the color behind it, or is a hand there. */
async function highlights(page: ConsolePage): Promise<boolean> {
  const look = () =>
    row(page).evaluate((element) => {
      const style = (of: typeof element) => element.ownerDocument.defaultView.getComputedStyle(of);
      let behind = element;
      while (behind.parentElement && style(behind).backgroundColor === 'rgba(0, 0, 0, 0)')
        behind = behind.parentElement;
      return `${style(element).cursor} on ${style(behind).backgroundColor}`;
    });
  await page.view.mouse.move(0, 0);
  const before = await look();
  await row(page).hover();
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    if ((await look()) !== before) return true;
    await page.view.waitForTimeout(FRAME_MS);
  }
  return false;
}

/** Clicks beside the texts of the row. */
async function opens(page: ConsolePage): Promise<boolean> {
  const { path } = page;
  await row(page)
    .locator('td')
    .nth(1)
    .click({ position: { x: 2, y: 2 } });
  await page.settled();
  return page.path !== path;
}

it.each([
  ['/keys', false],
  ['/requests?scope=all', true],
  ['/users', true],
  ['/projects?scope=all', false],
  ['/models', false],
  ['/budgets', false],
  ['/upstreams', true],
  ['/alerts', true],
  ['/audit', true],
])('a row of %s is highlighted under the pointer if a click opens it, and only then', async (path, expected) => {
  const page = await browser.open({ as: demo.admin, theme: 'dark' });
  await page.view.addInitScript(`localStorage.setItem('models-layout', '"table"')`);
  await page.open(path);
  expect(await highlights(page)).toBe(expected);
  expect(await opens(page)).toBe(expected);
});
