import { afterEach, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { ConsoleBrowser } from './support/console-browser.js';

const AWAY = 'The gateway cannot be reached. This page will recover.';

const browser = await ConsoleBrowser.start();
afterEach(() => browser.closePages());

it('every page reports that the gateway cannot be reached, and reloads its data when it works again', async () => {
  const person = await browser.gateway.createPerson({});
  const page = await browser.open({ as: person });
  const { view, watch } = page;
  const firstLook = view.waitForResponse(/\/health\/ready$/);
  await page.open('/keys');
  const banner = view.getByText(AWAY);
  await view.getByText('No keys yet').waitFor();
  await firstLook;
  expect(await banner.count()).toBe(0);
  await view.context().setOffline(true);
  await banner.waitFor();
  const key = { userId: person.id, name: 'made meanwhile', expiresAt: null };
  await browser.gateway.services.get(ApiKeysService).create(key, GATEWAY);
  await view.context().setOffline(false);
  await banner.waitFor({ state: 'detached', timeout: 5000 });
  await view.getByText('made meanwhile').waitFor();
  expect(watch.takeFaults().filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

it.each(['/login', '/password', '/setup', '/sign-in-error'])(
  '%s reports it, too, within 5 s of its return',
  async (path) => {
    const page = await browser.open();
    const { view, watch } = page;
    const firstLook = view.waitForResponse(/\/health\/ready$/);
    await page.open(path);
    await firstLook;
    const banner = view.getByText(AWAY);
    await view.context().setOffline(true);
    await banner.waitFor();
    await view.context().setOffline(false);
    await banner.waitFor({ state: 'detached', timeout: 5000 });
    expect(watch.takeFaults().filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  },
);

it('a page that could not be loaded meanwhile is loaded when the gateway is back', async () => {
  const page = await browser.open({ as: await browser.gateway.createPerson({}) });
  const { view } = page;
  const firstLook = view.waitForResponse(/\/health\/ready$/);
  await page.open('/keys');
  await firstLook;
  await view.context().setOffline(true);
  await view.getByText(AWAY).waitFor();
  await view.getByRole('link', { name: 'Usage' }).click();
  await view.getByText('This page could not be loaded').waitFor();
  await view.context().setOffline(false);
  await view.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  page.watch.takeFaults();
});

it('the banner takes no space while nothing is wrong', async () => {
  const page = await browser.open({ as: await browser.gateway.createPerson({}) });
  await page.open('/keys');
  const room = await page.view.locator('main > [role="status"]').evaluate((element) => element.clientHeight);
  expect(room).toBe(0);
});
