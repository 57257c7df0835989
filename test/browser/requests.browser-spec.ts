import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { newApiKey } from '../../src/auth/api-key.secret.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData } from './support/demo-data.js';

const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello!' }] };

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
const caller = await browser.gateway.createUser();
afterEach(() => browser.closePages());

async function requests(query = ''): Promise<ConsolePage> {
  const page = await browser.open({ as: demo.admin });
  await page.open(`/requests?scope=all&${query}`);
  return page;
}

async function call(body: object = {}): Promise<string> {
  const response = await browser.gateway.complete(caller, { ...HELLO, ...body });
  await response.text();
  return String(response.headers.get('x-request-id'));
}

async function callWith(secret: string): Promise<void> {
  const response = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(HELLO),
  });
  expect(response.status).toBe(401);
}

const rowsOf = ({ view }: ConsolePage) => view.getByRole('table', { name: 'Requests' }).locator('tbody tr');
const clockOf = async ({ view }: ConsolePage) =>
  /Up to date as of (\S+)/.exec(await view.locator('main').innerText())?.[1];

describe('the list of requests', () => {
  it('shows new requests at its top by itself, and the time shown is its own', async () => {
    const page = await requests(`users=${caller.id}`);
    expect(await rowsOf(page).count()).toBe(0);
    const before = await clockOf(page);
    await call();
    await rowsOf(page).first().waitFor();
    await call();
    await eventually(async () => (await rowsOf(page).count()) === 2);
    await eventually(async () => /Succeeded/.test(await rowsOf(page).first().innerText()));
    expect(await clockOf(page)).not.toBe(before);
    expect(await page.view.getByText('Live.').count()).toBe(1);
  });

  it('is not live while the gateway does not answer, and is again as soon as it does', async () => {
    const page = await requests(`users=${caller.id}`);
    const { view, watch } = page;
    await view.getByText('Live.').waitFor();
    await view.context().setOffline(true);
    const note = view.getByText('Paused, the gateway does not answer.');
    await note.waitFor();
    expect(await view.getByText('Live.').count()).toBe(0);
    await view.context().setOffline(false);
    await note.waitFor({ state: 'detached' });
    await view.getByText('Live.').waitFor();
    expect(watch.takeFaults().filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  it('names and links the project of a key, and the service account that it belongs to', async () => {
    const page = await requests(`projects=${demo.project}`);
    const { view } = page;
    const drawer = view.getByRole('dialog', { name: 'Request' });
    await rowsOf(page).filter({ hasText: 'nightly-import' }).first().getByTitle('Show the details').click();
    await drawer.getByText('Service account', { exact: true }).waitFor();
    expect(await drawer.innerText()).toMatch(/Project\s+Search\s+Service account\s+Nightly import/);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'detached' });
    await rowsOf(page).filter({ hasText: 'search-api' }).first().getByTitle('Show the details').click();
    const link = drawer.getByRole('link', { name: 'Search', exact: true });
    await link.waitFor();
    await drawer.getByText('search-api').waitFor();
    expect(await drawer.innerText()).not.toMatch(/\nUser\n/);
    await link.click();
    await view.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(page.path).toBe(`/projects/${demo.project}`);
  });

  it('counts new requests in a pill when someone has scrolled down, and shows them on a click', async () => {
    const page = await requests();
    const first = await rowsOf(page).first().innerText();
    await page.view.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await call();
    const pill = page.view.getByRole('button', { name: /^\d+ new$/ });
    await pill.waitFor();
    const shown = await clockOf(page);
    expect(await rowsOf(page).first().innerText()).toBe(first);
    expect(await clockOf(page)).toBe(shown);
    await pill.click();
    await eventually(async () => (await rowsOf(page).first().innerText()) !== first);
    expect(await page.view.evaluate('window.scrollY')).toBe(0);
  });

  it('has rows of one line, and a head that stays in sight', async () => {
    const page = await requests();
    const heights = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(36);
    expect(Math.max(...heights)).toBeLessThanOrEqual(40);
    await page.view.evaluate('window.scrollTo(0, 1000)');
    const head = await page.view.getByRole('columnheader', { name: 'Status' }).boundingBox();
    expect(head?.y).toBeGreaterThanOrEqual(0);
    expect(head?.y).toBeLessThan(120);
  });

  it('shows calls with invalid keys, with the sent text', async () => {
    const secret = newApiKey();
    await callWith(secret);
    const display = `${secret.slice(0, 8)}…${secret.slice(-4)}`;
    const page = await requests('statuses=unauthorized');
    const row = rowsOf(page).filter({ hasText: display });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Refused\s+invalid key \(401/);
    await row.getByRole('button', { name: /\d/ }).click();
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('HTTP 401').waitFor();
    expect(await page.view.content()).not.toContain(secret.slice(8, 24));
  });

  it('shows the owner of a revoked key who still calls with it', async () => {
    const { services } = browser.gateway;
    const input = { userId: demo.member.id, name: 'lost-phone', expiresAt: null };
    const { id, key } = await services.get(ApiKeysService).create(input, GATEWAY);
    await services.get(ApiKeysService).revoke({ id }, GATEWAY);
    await callWith(key);
    const page = await browser.open({ as: demo.member });
    await page.open('/requests');
    const row = rowsOf(page).filter({ hasText: 'lost-phone' });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Refused\s+invalid key \(401/);
    await row.click();
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('HTTP 401').waitFor();
    await drawer.getByText('lost-phone').waitFor();
  });

  it('is narrowed by dragging over its histogram, in both directions', async () => {
    const page = await requests('range=30d');
    const bars = page.view.getByRole('group', { name: /^Requests by day/ }).getByRole('button');
    const days = async () => {
      await page.settled();
      const { searchParams } = new URL(page.view.url());
      return (
        (Date.parse(String(searchParams.get('until'))) - Date.parse(String(searchParams.get('since')))) / 86_400_000
      );
    };
    const drag = async (from: number, to: number) => {
      await bars.nth(from).hover();
      await page.view.mouse.down();
      for (const bar of [(from + to) / 2, to]) await bars.nth(Math.round(bar)).hover();
      await page.view.mouse.up();
      await page.view.waitForURL(/since=.*until=/);
    };
    await drag(10, 14);
    expect(Math.round(await days())).toBe(5);
    expect(await bars.and(page.view.locator('[aria-pressed="true"]')).count()).toBe(5);
    await page.view.getByRole('button', { name: /^Remove the filter Time/ }).click();
    await page.view.waitForURL((url) => !url.searchParams.has('since'));
    await page.settled();
    await drag(20, 18);
    expect(Math.round(await days())).toBe(3);
  });

  it('is filtered to a time span by its histogram; new requests are then only counted', async () => {
    const page = await requests('range=today');
    const bars = page.view.getByRole('group', { name: /^Requests by hour/ }).getByRole('button');
    await bars.last().focus();
    await page.view.keyboard.press('ArrowLeft');
    await page.view.keyboard.press('ArrowRight');
    await page.view.keyboard.press('Enter');
    await page.settled();
    expect(page.path).toMatch(/since=.*until=/);
    await page.view.getByRole('button', { name: /^Remove the filter Time/ }).waitFor();
    await call();
    const pill = page.view.getByRole('button', { name: /^\d+ new$/ });
    await pill.click();
    await page.settled();
    expect(page.path).not.toContain('since=');
    await eventually(async () => (await rowsOf(page).first().innerText()).includes('gpt-6-luna'));
  });

  it('is filtered by values with their numbers of requests, and each filter can be removed', async () => {
    const page = await requests();
    await page.view.getByRole('button', { name: 'Status', exact: true }).click();
    const panel = page.view.getByRole('dialog', { name: 'Status', exact: true });
    await panel.getByRole('checkbox', { name: /^Failed \d+$/ }).click();
    await page.settled();
    expect(page.path).toContain('statuses=failed');
    await page.view.keyboard.press('Escape');
    const texts = await rowsOf(page).allInnerTexts();
    expect(texts.every((text) => text.includes('Failed'))).toBe(true);
    await page.view.getByRole('button', { name: 'Remove the filter Status Failed' }).click();
    await page.settled();
    expect(page.path).not.toContain('statuses');
  });

  it('shows errors by cause over the whole range, with the number of each and what removes it', async () => {
    for (let i = 0; i < 4; i++) await call({ model: `unknown-${i}` });
    const page = await requests(`users=${caller.id}`);
    await page.view.getByRole('switch', { name: 'Errors by cause' }).click();
    const causes = page.view.getByRole('table', { name: 'Errors by cause' });
    const row = causes.getByRole('row').filter({ hasText: 'Refused: model not available (404 model_not_found)' });
    await eventually(async () => /\s4\s+1\s/.test(await row.innerText()));
    expect(await row.innerText()).toContain('Use an id from GET /v1/models.');
    expect(await row.getByRole('link', { name: 'Open Models' }).getAttribute('href')).toBe('/models');
    await row.getByTitle('Show these requests').click();
    await eventually(async () => (await rowsOf(page).count()) === 4);
    expect(page.path).toContain('codes=model_not_found&httpStatuses=404');
    expect(await page.view.getByRole('group', { name: 'Filters' }).innerText()).toContain('Model not available');
  });

  it('can be filtered by an error code and by a status that are typed into the search', async () => {
    await call({ temperature: 17 });
    const page = await requests(`users=${caller.id}`);
    const field = page.view.getByRole('combobox', { name: 'Find requests' });
    await field.fill('invalid_value');
    await page.view.getByRole('option', { name: 'Error code invalid_value' }).click();
    await eventually(async () => page.path.includes('codes=invalid_value'));
    await eventually(async () => (await rowsOf(page).count()) === 1);
    await field.fill('404');
    await page.view.getByRole('option', { name: 'HTTP status 404' }).click();
    await eventually(async () => (await rowsOf(page).count()) === 0);
  });

  it('steps through the requests in the open drawer by keyboard', async () => {
    const page = await requests();
    await rowsOf(page).nth(1).click();
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('Request id').waitFor();
    const open = () => new URL(page.view.url()).searchParams.get('call');
    const second = open();
    await page.view.keyboard.press('ArrowRight');
    await eventually(() => open() !== second);
    await page.view.keyboard.press('k');
    await eventually(() => open() === second);
    await page.view.keyboard.press('Escape');
    await eventually(() => open() === null);
  });

  it('keeps named views in the browser', async () => {
    const page = await requests('statuses=failed&range=30d');
    await page.view.getByRole('button', { name: 'Views' }).click();
    await page.view.getByRole('textbox', { name: 'Name of the view' }).fill('Failures of the month');
    await page.view.getByRole('button', { name: 'Save' }).click();
    await page.open('/requests');
    await page.view.getByRole('button', { name: 'Views' }).click();
    await page.view.getByRole('button', { name: 'Failures of the month', exact: true }).click();
    await page.settled();
    expect(page.path).toContain('statuses=failed');
    expect(page.path).toContain('range=30d');
  });

  it('replaces the former tab of Usage, with its filters', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/usage?tab=requests&statuses=failed&range=30d&scope=all');
    expect(page.path).toBe('/requests?statuses=failed&range=30d&scope=all');
    expect(await page.heading()).toBe('Requests');
  });
});

describe('refused requests', () => {
  it('are shown beside the error rate, on the overview and in the report, which can show only them', async () => {
    for (let i = 0; i < 3; i++) await call({ temperature: 17 });
    const page = await browser.open({ as: demo.admin });
    await eventually(async () => {
      await page.open(`/usage?scope=all&range=today&users=${caller.id}`);
      return /\d refused/.test(await page.view.getByRole('button', { name: /^Error rate/ }).innerText());
    });
    await page.view.getByText(/refused before a model was called/).waitFor();
    await page.open(`/usage?scope=all&range=today&users=${caller.id}&statuses=refused&by=status`);
    const row = page.view.getByRole('table', { name: 'Usage by status' }).locator('tbody tr');
    expect(await row.innerText()).toMatch(/^Refused/);
    await page.open('/?scope=all');
    await page.view
      .getByText(/refused before a model was called/)
      .first()
      .waitFor();
    await page.view.getByRole('link', { name: 'Show refused requests' }).first().click();
    await page.settled();
    expect(page.path).toMatch(/^\/requests\?.*statuses=refused/);
  });
});
