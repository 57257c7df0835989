import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { ConsoleBrowser } from './support/console-browser.js';

const MARKUP = '<img src=x onerror="window.hit=1"><b>bold</b>';

const browser = await ConsoleBrowser.start();
const { gateway } = browser;
const admin = await gateway.createPerson({ role: 'admin', name: MARKUP });
const key = { userId: admin.id, name: MARKUP, note: MARKUP, expiresAt: null };
const { key: secret } = await gateway.services.get(ApiKeysService).create(key, GATEWAY);
const user = { headers: { authorization: `Bearer ${secret}` } };
for (const model of ['gpt-6-luna', MARKUP]) {
  const body = { model, messages: [{ role: 'user', content: MARKUP }], max_tokens: 5, user: MARKUP };
  await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': 'application/json', 'user-agent': MARKUP },
    body: JSON.stringify(body),
  });
}
afterEach(() => browser.closePages());

describe('markup in the name of a key, a user or a model', () => {
  it.each(['/', '/keys', '/usage', '/requests', '/users', '/audit', '/account', '/playground'])(
    'is text on %s',
    async (path) => {
      const page = await browser.open({ as: admin });
      await page.open(path);
      expect(await page.view.locator('img[src="x"]').count()).toBe(0);
      expect(await page.view.evaluate('window.hit')).toBeUndefined();
    },
  );

  it('is shown as typed', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/keys');
    expect(await page.view.getByText(MARKUP).count()).toBeGreaterThan(0);
    await page.open('/users');
    expect(await page.view.getByText(MARKUP).count()).toBeGreaterThan(0);
  });
});
