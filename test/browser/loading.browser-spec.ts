import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData, type DemoData } from './support/demo-data.js';

const MOST_SCRIPTS = 6;
/** Compressed, as transferred. */
const MOST_SCRIPT_BYTES = 200_000;
const MOST_STYLE_BYTES = 43_000;
/** Time for a page to load more by itself. */
const AFTERWARDS_MS = 1500;

const OUTSIDE = ['/login', '/setup', '/password', '/sign-in-error'];
const INSIDE = [
  '/',
  '/keys',
  '/projects',
  '/projects/PROJECT',
  '/projects/PROJECT?tab=keys',
  '/usage',
  '/requests',
  '/models',
  '/models/claude-sonnet-5',
  '/playground',
  '/account',
  '/users',
  '/plans',
  '/upstreams',
  '/budgets',
  '/alerts',
  '/audit',
  '/settings',
];

let browser: ConsoleBrowser;
let demo: DemoData;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
  demo = await createDemoData(browser.gateway);
});
afterEach(() => browser?.closePages());
afterAll(() => browser?.stop());

describe('a first visit, without a cache', () => {
  it.each([...OUTSIDE, ...INSIDE])('of %s loads at most six scripts of 200 kB together', async (path) => {
    const page = await browser.open(OUTSIDE.includes(path) ? {} : { as: demo.admin });
    const scripts = sizesOf(page.view, /\.js$/);
    const styles = sizesOf(page.view, /\.css$/);
    await page.open(path.replace('PROJECT', demo.project));
    await page.view.waitForTimeout(AFTERWARDS_MS);
    expect(scripts.length).toBeLessThanOrEqual(MOST_SCRIPTS);
    expect(await sum(scripts)).toBeGreaterThan(100_000);
    expect(await sum(scripts)).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
    expect(await sum(styles)).toBeLessThanOrEqual(MOST_STYLE_BYTES);
  });
});

/** The files that a page loads, in the order of their arrival. */
function sizesOf(view: Page, kind: RegExp): Promise<number>[] {
  const sizes: Promise<number>[] = [];
  view.on('requestfinished', (request) => {
    if (!kind.test(new URL(request.url()).pathname)) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return sizes;
}

async function sum(sizes: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}
