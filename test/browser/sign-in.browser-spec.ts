import { afterEach, describe, expect, it } from '@jest/globals';
import { PasswordLinksService } from '../../src/accounts/password-links.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const browser = await ConsoleBrowser.start();
await browser.gateway.createPerson({ role: 'admin' });
const person = await browser.gateway.createPerson();
afterEach(() => browser.closePages());

async function signIn({ view }: ConsolePage, email: string, password: string): Promise<void> {
  await view.getByLabel('E-mail').fill(email);
  await view.getByLabel('Password', { exact: true }).fill(password);
  await view.getByRole('button', { name: 'Sign in' }).click();
}

describe('signing in', () => {
  it('continues to the requested page', async () => {
    const page = await browser.open();
    await page.view.goto('/models?q=nano');
    await page.view.waitForURL(/\/login\?/);
    await page.settled();
    await signIn(page, person.email, person.password);
    await page.view.waitForURL('/models?q=nano');
    await page.view.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
  });

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example'])('never continues to %s', async (next) => {
    const page = await browser.open();
    await page.open(`/login?${new URLSearchParams({ next })}`);
    await signIn(page, person.email, person.password);
    await page.view.waitForURL('/');
  });

  it('shows the same message for a wrong password and an unknown account, and the wait after many attempts', async () => {
    const page = await browser.open();
    await page.open('/login');
    const alert = page.view.getByRole('alert');
    for (const email of ['nobody@example.com', person.email]) {
      await signIn(page, email, 'wrong horse battery');
      await alert.getByText('E-mail or password is wrong.').waitFor();
      await page.open('/login');
    }
    for (let attempts = 0; attempts < 12; attempts++) {
      const reply = await page.view.request.post('/api/session', {
        data: { email: 'victim@example.com', password: 'wrong horse battery' },
      });
      if (reply.status() === 429) break;
    }
    await signIn(page, 'victim@example.com', 'wrong horse battery');
    await alert.getByText(/too many attempts/i).waitFor();
    await alert.getByText(/only administrator\? The command user:password/).waitFor();
    const button = page.view.getByRole('button', { name: /wait/i });
    expect(await button.isDisabled()).toBe(true);
    await signIn(page, person.email, person.password);
    await page.view.waitForURL('/');
  });

  it('shows members no page of administrators', async () => {
    const page = await browser.open({ as: person });
    for (const path of ['/users', '/plans', '/upstreams', '/alerts', '/audit', '/settings']) {
      await page.open(path);
      expect(await page.heading()).toBe('Page not found');
    }
    await page.open('/');
    expect(await page.view.getByRole('link', { name: 'Users' }).count()).toBe(0);
  });

  it('ends with signing out: Back leads to the sign-in page', async () => {
    const page = await browser.open({ as: person });
    await page.open('/keys');
    await page.view.getByRole('button', { name: new RegExp(person.email) }).click();
    await page.view.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.view.waitForURL(/\/login/);
    await page.settled();
    await page.view.goto('/keys');
    await page.view.waitForURL(/\/login/);
  });
});

describe('a one-time link', () => {
  it('still works after a reload, and is forgotten after its use', async () => {
    const { gateway } = browser;
    const guest = await gateway.createPerson();
    const { token } = await gateway.services.get(PasswordLinksService).create(guest.id, GATEWAY);
    const page = await browser.open();
    await page.open(`/password#${token}`);
    await page.view.getByRole('button', { name: 'Save and sign in' }).waitFor();
    expect(page.path).toBe('/password');
    await page.view.reload();
    await page.view.getByLabel('Password', { exact: true }).fill('another horse battery');
    await page.view.getByRole('button', { name: 'Save and sign in' }).click();
    await page.view.waitForURL('/');
    expect(await page.view.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(token);
  });
});

describe('a session that has ended', () => {
  it('is renewed in a dialog, and typed text is kept', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/keys');
    await view.getByRole('button', { name: 'Create key' }).first().click();
    await view.getByLabel('Name').fill('typed before');
    await browser.gateway.database.query('DELETE FROM sessions');
    await view.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const again = view.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel(/^Password/).fill(person.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await view.getByLabel('Your API key').waitFor();
    expect(await view.getByText('typed before').count()).toBeGreaterThan(0);
  });
});

describe('a session that is about to end', () => {
  it('counts down, and is extended by one click', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await view.clock.install();
    await page.open('/keys');
    // An answer that comes later, such as that of the bell, would extend the session.
    await view.waitForLoadState('networkidle');
    await view.clock.fastForward('11:57:30');
    const dialog = view.getByRole('dialog', { name: 'Your session ends soon' });
    await dialog
      .getByRole('timer', { name: 'Time left' })
      .getByText(/^(1:\d\d|\d+ s)$/)
      .waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Stay signed in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await view.clock.fastForward('11:59:30');
    await view.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  });

  it('asks for the password when it cannot be extended', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await browser.gateway.database.query("UPDATE sessions SET expires_at = now() + interval '115 s'");
    await page.open('/keys');
    await view
      .getByRole('dialog', { name: 'Your session ends soon' })
      .getByText(/^(1:\d\d|\d+ s)$/)
      .waitFor();
    await view.getByRole('button', { name: 'Stay signed in' }).click();
    const again = view.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel(/^Password/).fill(person.password);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await view.getByRole('dialog', { name: 'Your session ends soon' }).waitFor({ state: 'detached' });
  });
});

describe('another user who signs in in a second tab', () => {
  it('is announced in the first tab immediately; the tab shows no data of the other user', async () => {
    const page = await browser.open({ as: person });
    await page.open('/account');
    const other = await browser.gateway.createPerson({ email: 'second@example.com' });
    const tab = await page.view.context().newPage();
    await tab.goto('/');
    await tab.getByRole('button', { name: new RegExp(person.email) }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByLabel('E-mail').fill(other.email);
    await tab.getByLabel('Password', { exact: true }).fill(other.password);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
    const dialog = page.view.getByRole('dialog', { name: 'You are now signed in as second@example.com' });
    await dialog.getByText(`This page belongs to ${person.email}`).waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Continue as second@example.com' }).click();
    await page.view.getByRole('button', { name: /account of second@example\.com/ }).waitFor();
  });

  it('is noticed at the next request, even if the tabs cannot notify each other', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    const key = { userId: person.id, name: 'key of the first', expiresAt: null };
    await browser.gateway.services.get(ApiKeysService).create(key, GATEWAY);
    await page.open('/models');
    const other = await browser.gateway.createPerson({ email: 'third@example.com' });
    await view.context().request.post('/api/session', { data: { email: other.email, password: other.password } });
    await view.getByRole('link', { name: 'API Keys' }).click();
    await view.getByRole('dialog', { name: 'You are now signed in as third@example.com' }).waitFor();
    expect(await view.getByText('No keys yet').count()).toBe(0);
    page.watch.takeFaults();
  });
});
