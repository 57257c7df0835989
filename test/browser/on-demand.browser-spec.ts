import { afterEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const browser = await ConsoleBrowser.start();
const person = await browser.gateway.createPerson({ role: 'admin' });
const key = { userId: person.id, name: 'laptop', expiresAt: null, models: ['gpt-6-luna'] };
await browser.gateway.services.get(ApiKeysService).create(key, GATEWAY);
afterEach(() => browser.closePages());

const OVERLAYS = /\/assets\/overlays-.*\.js$/;

async function open(path: string): Promise<ConsolePage> {
  const page = await browser.open({ as: person });
  await page.open(path);
  return page;
}

/** How long an overlay takes to load. */
async function slowDown(view: Page, ms: number): Promise<void> {
  await view.route(OVERLAYS, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue();
  });
}

const nameOfFocused = (view: Page) => view.evaluate<string>('document.activeElement.getAttribute("aria-label")');

/** Presses Enter as soon as an option is marked, and remembers the field's value at that moment. */
const ENTER_ONCE_MARKED = `
  const enter = { key: 'Enter', code: 'Enter', bubbles: true };
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[role="option"][data-combobox-selected]')) return;
    observer.disconnect();
    globalThis.heldWhenMarked = document.activeElement.value;
    setTimeout(() => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', enter)));
  }).observe(document.body, { subtree: true, childList: true, attributes: true })`;

describe('an overlay whose code is loaded on demand', () => {
  it('is a menu: opened and used with the keyboard, with the focus returned to its button', async () => {
    const { view } = await open('/keys');
    const button = view.getByRole('button', { name: 'Actions for laptop' });
    await button.focus();
    await view.keyboard.press('Enter');
    await view.getByRole('menu').waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await view.keyboard.press('ArrowDown');
    await view.keyboard.press('Escape');
    await view.getByRole('menu').waitFor({ state: 'detached' });
    expect(await nameOfFocused(view)).toBe('Actions for laptop');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
  });

  it('is a menu that opens on the first click, and closes on a click beside it', async () => {
    const { view } = await open('/');
    await slowDown(view, 400);
    await view.getByRole('button', { name: 'Theme' }).click();
    await view.getByRole('menuitem', { name: 'Dark' }).waitFor();
    await view.getByRole('heading', { level: 1 }).click();
    await view.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('is a panel that has the focus while it is open', async () => {
    const { view } = await open('/keys');
    await view.getByRole('button', { name: '1 model of laptop: show them' }).click();
    const panel = view.getByRole('dialog');
    await panel.getByText('gpt-6-luna').waitFor();
    await view.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await nameOfFocused(view)).toBe('1 model of laptop: show them');
  });

  it('is a list that opens on the first click on its field', async () => {
    const { view } = await open('/keys');
    await slowDown(view, 400);
    const field = view.getByRole('combobox', { name: 'Status' });
    expect(await field.inputValue()).toBe('All but revoked');
    await field.click();
    await view.getByRole('option', { name: 'Revoked', exact: true }).click();
    await view.waitForURL(/status=revoked/);
    expect(await field.inputValue()).toBe('Revoked');
  });

  it('is a list that the keyboard opens, in a field that keeps the focus', async () => {
    const { view } = await open('/keys');
    await slowDown(view, 400);
    await view.getByRole('searchbox').focus();
    await view.keyboard.press('Tab');
    await view.keyboard.press('ArrowDown');
    await view.getByRole('option', { name: 'Revoked', exact: true }).waitFor();
    expect(await nameOfFocused(view)).toBe('Status');
  });

  it('is a list whose field takes text that was typed before it was loaded', async () => {
    const { view } = await open('/playground');
    await slowDown(view, 1000);
    const field = view.getByRole('combobox', { name: 'Model' });
    await view.evaluate(ENTER_ONCE_MARKED);
    await field.click();
    await view.keyboard.type('luna');
    await view.waitForURL(/model=gpt-6-luna/);
    expect(await view.evaluate('heldWhenMarked')).toBe('luna');
    expect(await field.inputValue()).toMatch(/^GPT-6 Luna/);
  });

  it('is a field of words that loses no input', async () => {
    const { view } = await open('/playground');
    await slowDown(view, 1000);
    await view.getByLabel('Stop sequences').click();
    await view.evaluate('globalThis.standIn = document.activeElement');
    await view.keyboard.type('END');
    await eventually(() =>
      view.evaluate('document.activeElement !== standIn && document.activeElement.value === "END"'),
    );
    await view.keyboard.press('Enter');
    await view.locator('.mantine-Pill-root').getByText('END').waitFor();
  });

  it('is a hint for the element under the pointer, which Escape closes', async () => {
    const { view } = await open('/keys');
    await view.getByText('Copy', { exact: true }).first().hover();
    const hint = view.getByRole('tooltip');
    await hint.getByText('Copy the base URL').waitFor();
    await view.keyboard.press('Escape');
    await hint.waitFor({ state: 'detached' });
  });

  it('an overlay whose code is loaded on demand whose code cannot be loaded only loses a hint, not the page; a menu then asks to reload', async () => {
    const { view, watch } = await open('/keys');
    await view.route(OVERLAYS, (route) => route.abort());
    await view.getByText('Copy', { exact: true }).first().hover();
    await view.waitForTimeout(600);
    expect(await view.getByRole('heading', { level: 1 }).innerText()).toBe('API Keys');
    await view.getByRole('button', { name: 'Theme' }).click();
    await view.getByRole('button', { name: 'Reload' }).waitFor();
    watch.takeFaults();
  });
});

describe('asking to sign in again', () => {
  it('needs no code of a possibly updated gateway after the person has used the page', async () => {
    const { view } = await open('/keys');
    const dialogCode = view.waitForResponse(/\/assets\/session-dialogs-.*\.js$/);
    await view.getByRole('heading', { level: 1 }).click();
    await (await dialogCode).finished();
    await view.waitForLoadState('networkidle');
    await view.context().clearCookies();
    await view.route('**/assets/**', (route) => route.abort());
    await view.getByText('Everyone’s').click();
    await view.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  });
});
