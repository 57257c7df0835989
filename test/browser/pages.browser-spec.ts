import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData, type DemoData } from './support/demo-data.js';

let browser: ConsoleBrowser;
let demo: DemoData;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
  demo = await createDemoData(browser.gateway);
});
afterAll(() => browser?.stop());

const ENTRANCES: [name: string, path: string][] = [
  ['login', '/login'],
  ['setup', '/setup?token=none'],
  ['password', '/password#none'],
  ['sign-in-error', '/sign-in-error?reason=not_in_group&request=req_0123456789abcdef'],
];

const PAGES: [name: string, path: string][] = [
  ['overview', '/'],
  ['keys', '/keys'],
  ['usage', '/usage'],
  ['usage-requests', '/usage?tab=requests'],
  ['models', '/models'],
  ['model', '/models/claude-sonnet-5'],
  ['playground', '/playground'],
  ['account', '/account'],
  ['users', '/users'],
  ['plans', '/plans'],
  ['upstreams', '/upstreams'],
  ['audit', '/audit'],
  ['settings', '/settings'],
  ['not-found', '/no-such-page'],
  ['docs', '/docs'],
];

/** The page of Swagger UI is not ours to change: what axe has against its parts. */
const TOLERATED: Record<string, RegExp> = {
  docs: /^(nested-interactive|select-name|scrollable-region-focusable|color-contrast|landmark) /,
};

/** Shows a page wide and narrow, keeps pictures, and gives what is wrong with it. */
async function faultsOf(page: ConsolePage, name: string, path: string, theme: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.view.setViewportSize({ width, height: 900 });
    await page.open(path);
    // What is narrow differs in form, not in colour: one theme shows it.
    const isLookedOver = width === 1280 || theme === 'light';
    const found = [
      ...(isLookedOver ? await page.accessibilityFaults() : []),
      ...(await page.sidewaysFaults()),
      ...page.watch.takeFaults(),
      ...browser.takeErrors(),
    ];
    const ours = found.filter((fault) => !TOLERATED[name]?.test(fault));
    faults.push(...ours.map((fault) => `${width} px: ${fault}`));
    await page.screenshot(`${name}-${theme}-${width}`);
  }
  return faults;
}

const THEMES = ['light', 'dark'] as const;

describe.each(THEMES)(
  'in the %s theme, wide and narrow, is accessible, scrolls down only, and has no errors:',
  (theme) => {
    let outside: ConsolePage;
    let inside: ConsolePage;
    beforeAll(async () => {
      outside = await browser.open({ theme });
      inside = await browser.open({ theme, as: demo.admin });
    });
    afterAll(() => browser.closePages());

    it.each(ENTRANCES)('%s', async (name, path) => {
      expect(await faultsOf(outside, name, path, theme)).toEqual([]);
    });

    it.each(PAGES)('%s', async (name, path) => {
      expect(await faultsOf(inside, name, path, theme)).toEqual([]);
    });
  },
);
