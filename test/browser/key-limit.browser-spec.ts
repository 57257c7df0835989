import { expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { ConsoleBrowser } from './support/console-browser.js';

const browser = await ConsoleBrowser.start({ config: { 'gateway.yaml': 'keys: { perUser: 1 }' } });

it('Create key reports the limit of live keys, and what to do', async () => {
  const person = await browser.gateway.createPerson();
  await browser.gateway.services.get(ApiKeysService).create({ userId: person.id, name: 'one' }, GATEWAY);
  const page = await browser.open({ as: person });
  const { view } = page;
  await page.open('/keys');
  await view.getByRole('button', { name: 'Create key' }).click();
  const dialog = view.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText(/already has 1 live API keys.*Revoke one/).waitFor();
  expect(await dialog.isVisible()).toBe(true);
});
