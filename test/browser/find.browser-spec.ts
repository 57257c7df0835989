import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

let secret: string;
let keyId: string;
let completionId: string;

function ask(body: object): Promise<Response> {
  return fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });
}

const browser = await ConsoleBrowser.start();
const { gateway } = browser;
const admin = await gateway.createPerson({ role: 'admin', name: 'Ada Lovelace', email: 'ada@example.com' });
const owner = await gateway.createPerson({ name: 'Grace Hopper', email: 'grace@example.com' });
const input = { userId: owner.id, name: 'grace-laptop', expiresAt: null };
({ id: keyId, key: secret } = await gateway.services.get(ApiKeysService).create(input, GATEWAY));
const answer = await ask({});
const requestId: string = String(answer.headers.get('x-request-id'));
({ id: completionId } = (await answer.json()) as { id: string });
for (let i = 0; i < 10; i++) await (await ask({ temperature: 17 })).text();
await eventually(async () => (await gateway.database.query('SELECT FROM recent_errors')).length === 10);
afterEach(() => browser.closePages());

/** The requests of the page since then; each with its URL and body. */
function requested({ view }: ConsolePage): string[] {
  const all: string[] = [];
  view.on('request', (request) => all.push(`${request.url()} ${request.postData() ?? ''}`));
  return all;
}

describe('the search of the page Requests', () => {
  it.each([
    ['its request id', () => requestId],
    ['its completion id', () => completionId],
  ])('opens a request by %s', async (_, id) => {
    const page = await browser.open({ as: admin });
    await page.open('/requests?scope=all');
    await page.view.getByRole('combobox', { name: 'Find requests' }).fill(id());
    await page.view.getByRole('option', { name: /^Request/ }).waitFor();
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('dialog', { name: 'Request' }).getByText(requestId).waitFor();
  });

  it('filters by the key whose secret was pasted; the secret never leaves the browser', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/requests?scope=all');
    const requests = requested(page);
    const field = page.view.getByRole('combobox', { name: 'Find requests' });
    await field.fill(`Bearer ${secret}`.slice(7));
    expect(await field.inputValue()).toBe(`${secret.slice(0, 8)}…${secret.slice(-4)}`);
    await page.view.getByRole('option', { name: /grace-laptop/ }).click();
    await page.settled();
    expect(page.path).toContain('keys=');
    await page.view.getByRole('button', { name: 'Remove the filter Key grace-laptop' }).waitFor();
    const stored = await page.view.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(decodeURIComponent(`${requests.join()} ${stored} ${page.path}`)).not.toContain(secret.slice(4, 20));
  });

  it.each([
    ['its name', () => 'grace-lap'],
    ['its display form', () => `${secret.slice(0, 8)}…${secret.slice(-4)}`],
  ])('filters by a key that is found by %s', async (_, text) => {
    const page = await browser.open({ as: admin });
    await page.open('/requests?scope=all');
    await page.view.getByRole('combobox', { name: 'Find requests' }).fill(text());
    await page.view.getByRole('option', { name: /^Key.*grace-laptop/ }).click();
    await page.settled();
    expect(new URL(page.view.url()).searchParams.get('keys')).toBe(keyId);
    const rows = page.view.getByRole('table', { name: 'Requests' }).locator('tbody tr');
    expect(await rows.filter({ hasText: 'grace-laptop' }).count()).toBe(11);
    expect(await rows.count()).toBe(11);
  });

  it('filters by a user and by a model', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/requests?scope=all');
    const field = page.view.getByRole('combobox', { name: 'Find requests' });
    await field.fill('grace@');
    await page.view.getByRole('option', { name: /^User/ }).click();
    await page.settled();
    expect(page.path).toContain('users=');
    await field.fill('6-luna');
    await page.view
      .getByRole('option', { name: /^Model/ })
      .first()
      .click();
    await page.settled();
    expect(page.path).toContain('models=gpt-6-luna');
  });
});

describe('a whole key', () => {
  it('finds its key in the list of keys; only its display form is sent', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/keys?scope=all');
    const requests = requested(page);
    await page.view.getByRole('searchbox').fill(secret);
    await page.view.getByRole('row').filter({ hasText: 'grace-laptop' }).waitFor();
    const display = `${secret.slice(0, 8)}…${secret.slice(-4)}`;
    await eventually(() => decodeURIComponent(requests.join()).includes(display));
    await page.settled();
    expect(await page.view.getByRole('row').filter({ hasText: 'grace-laptop' }).count()).toBe(1);
    expect(decodeURIComponent(requests.join())).not.toContain(secret.slice(4, 20));
  });
});

describe('the palette', () => {
  it('finds requests, keys, users and models, in groups, by keyboard', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/');
    const search = async (text: string) => {
      await page.view.keyboard.press('ControlOrMeta+k');
      await page.view
        .getByRole('dialog')
        .getByRole('searchbox')
        .or(page.view.getByPlaceholder(/request id/))
        .first()
        .fill(text);
    };
    const choose = (name: RegExp) => page.view.getByRole('dialog').getByRole('button', { name });
    await search(requestId);
    await choose(new RegExp(requestId)).waitFor();
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('dialog', { name: 'Request' }).getByText(completionId).waitFor();
    await page.view.keyboard.press('Escape');
    await page.open('/');
    await search(completionId);
    await choose(new RegExp(requestId)).waitFor();
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('dialog', { name: 'Request' }).getByText(requestId).waitFor();
    await page.view.keyboard.press('Escape');
    await search(secret);
    await choose(/grace-laptop/).waitFor();
    await page.view.keyboard.press('Enter');
    await page.view.getByRole('heading', { level: 1, name: 'grace-laptop' }).waitFor();
    await search('Grace Hopper');
    await choose(/^Grace Hopper/).waitFor();
    await page.view.keyboard.press('Enter');
    await page.view.waitForURL(/\/users\/[0-9a-f-]{36}$/);
  });
});

describe('identical errors', () => {
  it('are one row of the overview, with their number', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/?scope=all');
    const rows = page.view.getByRole('row').filter({ hasText: 'grace-laptop' });
    expect(await rows.count()).toBe(1);
    expect(await rows.innerText()).toMatch(/Refused: value not allowed \(400 invalid_value\)[\s\S]*10 ×/);
  });

  it('are one row on the page of their key, with the whole message on a phone', async () => {
    const page = await browser.open({ as: admin, width: 360 });
    await page.open(`/keys/${keyId}`);
    const errors = page.view.getByRole('region', { name: 'Recent errors' });
    await errors.getByText('10 ×').waitFor();
    expect(await errors.getByRole('link', { name: /^Refused/ }).count()).toBe(1);
    const message = await errors.getByText(/^Invalid value for 'temperature'/).boundingBox();
    expect(message?.width).toBeGreaterThan(200);
    expect(await page.sidewaysFaults()).toEqual([]);
  });
});
