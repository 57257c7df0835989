import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { CLIENT_ID, OidcServer } from '../support/oidc-server.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const port = await freePort();
const appUrl = `http://127.0.0.1:${port}`;
const provider = await OidcServer.start({ appUrl, client: { token_endpoint_auth_method: 'none' } });
const oidc = `{ issuer: "${provider.issuer}", clientId: ${CLIENT_ID}, label: Example Login, memberGroups: [staff] }`;
const browser = await ConsoleBrowser.start({
  port,
  env: { APP_URL: appUrl },
  config: { 'gateway.yaml': `signIn: { local: false, oidc: ${oidc} }` },
});
afterEach(() => browser.closePages());

/** From our page through the provider's pages, and back. */
async function signInAs(page: ConsolePage, name: string): Promise<void> {
  const { view } = page;
  await view.getByRole('link', { name: 'Example Login' }).click();
  await view.getByPlaceholder('Enter any login').fill(name);
  await view.getByPlaceholder('and password').fill('any');
  await view.getByRole('button', { name: 'Sign-in' }).click();
  await view.getByRole('button', { name: 'Continue' }).click();
  await view.waitForURL(`${browser.gateway.url}/**`);
  await page.settled();
}

describe('single sign-on', () => {
  it('leads through the provider’s pages to the requested page', async () => {
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['staff'] });
    const page = await browser.open({ origins: [provider.issuer] });
    await page.view.goto('/usage?range=7d');
    await page.view.waitForURL(/\/login/);
    await page.settled();
    expect(await page.view.getByLabel('Password').count()).toBe(0);
    await signInAs(page, 'ada');
    expect(page.path).toBe('/usage?range=7d');
    expect(await page.heading()).toBe('Usage');
  });

  it('names the missing group, with the request’s id and a way back', async () => {
    provider.people.set('eve', { email: 'eve@example.com', email_verified: true, groups: ['guests'] });
    const page = await browser.open({ origins: [provider.issuer] });
    await page.open('/login');
    await signInAs(page, 'eve');
    expect(await page.heading()).toBe('You are not in the right group');
    await page.view.getByText('staff', { exact: true }).waitFor();
    await page.view.getByText(/^req_\w+$/).waitFor();
    await page.view.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.view.waitForURL('/login');
  });

  it('shows no text of a forged address', async () => {
    const page = await browser.open();
    const forged = { reason: '<img src=x onerror=alert(1)>', request: 'Call 555-0100', missing: 'Call 555-0100' };
    await page.open(`/sign-in-error?${new URLSearchParams(forged)}`);
    expect(await page.heading()).toBe('Sign-in failed');
    expect(await page.view.getByText('555-0100').count()).toBe(0);
  });
});
