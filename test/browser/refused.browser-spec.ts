import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';

let browser: ConsoleBrowser;
let person: TestPerson;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
  const { gateway } = browser;
  person = await gateway.createPerson();
  const wish = { userId: person.id, name: 'laptop', expiresAt: null };
  const { key } = await gateway.services.get(ApiKeysService).create(wish, GATEWAY);
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'no-such-model', messages: [{ role: 'user', content: 'Hi' }] }),
  });
  expect(reply.status).toBe(404);
  await eventually(async () => (await gateway.database.query('SELECT FROM recent_errors')).length > 0, 10_000);
});
afterEach(() => browser?.closePages());
afterAll(() => browser?.stop());

describe('a refused request', () => {
  it('leads from the overview to its details among the requests', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/');
    await view
      .getByRole('row', { name: /404 model_not_found/ })
      .getByText('laptop')
      .waitFor();
    await view.getByRole('link', { name: '404 model_not_found' }).click();
    const drawer = view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('HTTP 404').waitFor();
    await drawer.getByText('no-such-model', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    const row = view.getByRole('row').filter({ hasText: 'no-such-model' });
    expect(await row.innerText()).toMatch(/Refused[\s\S]*404 [\s\S]*laptop/);
  });
});
