import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { ConsoleBrowser } from './support/console-browser.js';

const AWAY = 'The gateway cannot be reached. This page will recover.';

let browser: ConsoleBrowser;
beforeAll(async () => {
  browser = await ConsoleBrowser.start();
});
afterEach(() => browser?.closePages());
afterAll(() => browser?.stop());

it('every page reports that the gateway cannot be reached, and loads what it missed when it is back', async () => {
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
  await banner.waitFor({ state: 'detached' });
  await view.getByText('made meanwhile').waitFor();
  expect(watch.takeFaults().filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

it('the banner takes no space while nothing is wrong', async () => {
  const page = await browser.open({ as: await browser.gateway.createPerson({}) });
  await page.open('/keys');
  const room = await page.view.locator('main > [role="status"]').evaluate((element) => element.clientHeight);
  expect(room).toBe(0);
});
