import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { ConsoleClient } from '../support/console-client.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';

function ask(key: string, model: string): Promise<Response> {
  return fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  });
}

const browser = await ConsoleBrowser.start();
const { gateway } = browser;
const person = await gateway.createPerson();
const input = { userId: person.id, name: 'laptop', expiresAt: null };
const { key } = await gateway.services.get(ApiKeysService).create(input, GATEWAY);
const reply = await ask(key, 'no-such-model');
expect(reply.status).toBe(404);
await eventually(async () => (await gateway.database.query('SELECT FROM recent_errors')).length > 0);
afterEach(() => browser.closePages());

describe('a refused request', () => {
  it('leads from the overview to its details among the requests', async () => {
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/');
    await view
      .getByRole('row', { name: /model not available \(404\)/ })
      .getByText('laptop')
      .waitFor();
    await view.getByRole('link', { name: 'model not available (404)' }).click();
    const drawer = view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('HTTP 404').waitFor();
    await drawer.getByText('no-such-model', { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    const row = view.getByRole('row').filter({ hasText: 'no-such-model' });
    expect(await row.innerText()).toMatch(/Refused[\s\S]*\(404\)[\s\S]*laptop/);
  });

  it('says why it was refused, whose limit it was, what is left of it, and whom to ask', async () => {
    const { gateway } = browser;
    const limited = await gateway.createPerson();
    const admin = await gateway.createPerson({ role: 'admin' });
    const input = { userId: limited.id, name: 'limited', expiresAt: null };
    const { key, id } = await gateway.services.get(ApiKeysService).create(input, GATEWAY);
    const console = await ConsoleClient.signIn(gateway, admin);
    await console.patch(`/api/users/${limited.id}/limits`, { requestsPerMinute: 1 });
    const refused = await eventually(async () => {
      const reply = await ask(key, 'gpt-6-luna');
      return reply.status === 429 && reply.headers.get('x-request-id');
    });
    await eventually(async () => (await console.get(`/api/usage/calls/${refused}`)).status === 200);
    const page = await browser.open({ as: limited });
    const { view } = page;
    await page.open(`/requests?call=${refused}`);
    const drawer = view.getByRole('dialog', { name: 'Request' });
    await drawer
      .getByText(/^The limit of the user is 1 request a minute\./)
      .first()
      .waitFor();
    await drawer.getByText(/of 1 used/).waitFor();
    await drawer.getByRole('link', { name: 'Your plan and limits' }).waitFor();
    await drawer.getByRole('button', { name: 'Copy a message to an administrator' }).click();
    expect(await view.evaluate('navigator.clipboard.readText()')).toContain(`call=${refused}`);
    expect(await drawer.innerText()).toMatch(/Client address\s+127\.0\.0\.1\s+User agent\s+node/);
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.screenshot('refusal-reason');
    await page.open(`/keys/${id}`);
    await view
      .getByRole('group', { name: 'From its owner, for all keys of the owner' })
      .getByText(/of 1 used/)
      .waitFor();
    expect(await page.accessibilityFaults()).toEqual([]);
  });

  it('is aligned with the other texts of its card', async () => {
    const page = await browser.open({ as: person, width: 360 });
    await page.open('/requests');
    const row = page.view.getByRole('row').filter({ hasText: 'no-such-model' });
    const ends = await Promise.all(
      ['model not available (404)', 'no-such-model'].map(async (text) => {
        const box = await row.getByText(text, { exact: true }).boundingBox();
        return Math.round((box?.x ?? 0) + (box?.width ?? 0));
      }),
    );
    expect(ends[0]).toBe(ends[1]);
  });

  it('shows which disabled key was sent, like the error for the caller', async () => {
    const { gateway } = browser;
    const keys = gateway.services.get(ApiKeysService);
    const { id, key } = await keys.create({ userId: person.id, name: 'put away', expiresAt: null }, GATEWAY);
    await keys.update({ id }, { disabled: true }, GATEWAY);
    const reply = await ask(key, 'gpt-6-luna');
    expect(reply.status).toBe(401);
    const shown = `${key.slice(0, 8)}…${key.slice(-4)}`;
    expect(await reply.text()).toContain(shown);
    await eventually(async () => (await gateway.database.query('SELECT FROM recent_errors')).length > 1);
    const page = await browser.open({ as: person });
    await page.open('/');
    const error = page.view.getByRole('row', { name: /invalid key \(401\)/ });
    expect(await error.innerText()).toContain(`The API key (${shown}) is disabled`);
  });
});
