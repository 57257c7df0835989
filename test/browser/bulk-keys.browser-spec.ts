import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { ConsoleBrowser } from './support/console-browser.js';

const browser = await ConsoleBrowser.start();
const person = await browser.gateway.createPerson();
const keys = browser.gateway.services.get(ApiKeysService);
for (const name of ['one', 'two']) await keys.create({ userId: person.id, name, expiresAt: null }, GATEWAY);
afterEach(() => browser.closePages());

describe('several keys', () => {
  it('are disabled after a question with their owners and usage, and the toast undoes it', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/keys');
    await view.getByLabel('Select all rows').check();
    await view.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Disable' }).click();
    const dialog = view.getByRole('alertdialog');
    await dialog.getByText(`of ${person.email}`).first().waitFor();
    await dialog.getByText('0 requests in the last 24 hours').first().waitFor();
    await dialog.getByRole('button', { name: 'Disable 2 keys' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const disabled = view.getByRole('table').getByText('Disabled', { exact: true });
    await disabled.nth(1).waitFor();
    await view.getByRole('button', { name: 'Undo' }).click();
    await disabled.first().waitFor({ state: 'detached' });
    expect(await view.getByRole('table').getByText('Active', { exact: true }).count()).toBe(2);
  });
});
