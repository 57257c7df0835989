import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData } from './support/demo-data.js';

const MAX_SCRIPTS = 6;
/** Compressed, as transferred. */
const MAX_SCRIPT_BYTES = 200_000;
const MAX_STYLE_BYTES = 43_000;
/** Time for a page to load more by itself. */
const AFTERWARDS_MS = 1500;

const OUTSIDE = ['/login', '/setup', '/password', '/sign-in-error'];
const INSIDE = [
  '/',
  '/keys',
  '/projects',
  '/usage',
  '/requests',
  '/models',
  '/models/claude-sonnet-5.5',
  '/playground',
  '/account',
  '/users',
  '/plans',
  '/upstreams',
  '/budgets',
  '/guards',
  '/alerts',
  '/audit',
  '/settings',
];
/** With ids of the demo data. */
const OF_ONE: [name: string, path: () => string][] = [
  ['one key', () => `/keys/${demo.keys[2]}`],
  ['one user', () => `/users/${demo.member.id}`],
  ['one project', () => `/projects/${demo.project}`],
];

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

describe('a first visit, without a cache', () => {
  it.each([...OUTSIDE, ...INSIDE])('a first visit to %s loads at most six scripts of 200 kB together', async (path) => {
    await expectLight(path);
  });

  it.each(OF_ONE)('a first visit to the page of %s loads at most six scripts of 200 kB together', async (_, path) => {
    await expectLight(path());
  });
});

async function expectLight(path: string): Promise<void> {
  const page = await browser.open(OUTSIDE.includes(path) ? {} : { as: demo.admin });
  const scripts = filesOf(page.view, /\.js$/);
  const styles = filesOf(page.view, /\.css$/);
  await page.open(path);
  await page.view.waitForTimeout(AFTERWARDS_MS);
  expect(scripts.slice(MAX_SCRIPTS).map(({ name }) => name)).toEqual([]);
  expect(await sum(scripts)).toBeGreaterThan(100_000);
  expect(await sum(scripts)).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  expect(await sum(styles)).toBeLessThanOrEqual(MAX_STYLE_BYTES);
}

interface LoadedFile {
  readonly name: string;
  /** Compressed, as transferred. */
  readonly size: Promise<number>;
}

/** The files that a page loads, in the order of their arrival. */
function filesOf(view: Page, kind: RegExp): LoadedFile[] {
  const files: LoadedFile[] = [];
  view.on('requestfinished', (request) => {
    const name = new URL(request.url()).pathname;
    if (!kind.test(name)) return;
    files.push({ name, size: request.sizes().then(({ responseBodySize }) => responseBodySize) });
  });
  return files;
}

async function sum(files: readonly LoadedFile[]): Promise<number> {
  const sizes = await Promise.all(files.map(({ size }) => size));
  return sizes.reduce((total, size) => total + size, 0);
}
