import { afterEach, describe, expect, it } from '@jest/globals';
import { AlertsService } from '../../src/alerts/alerts.service.js';
import { AlertReceiver } from '../support/alert-receiver.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';

const receiver = await AlertReceiver.start();
const browser = await ConsoleBrowser.start({ env: { ALERT_WEBHOOK_URL: receiver.url } });
const admin = await browser.gateway.createPerson({ role: 'admin' });
afterEach(() => browser.closePages());

describe('the page of alerts', () => {
  it('sends a test message and shows the response of the webhook', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/alerts');
    const { view } = page;
    await view.getByText('No alerts yet').waitFor();
    receiver.answers = [403];
    receiver.text = 'invalid_token';
    await view.getByRole('button', { name: 'Send a test message' }).click();
    await view.getByText('Not accepted · HTTP 403: invalid_token').waitFor();
    receiver.text = 'ok';
    await view.getByRole('button', { name: 'Send a test message' }).click();
    await view.getByText('Accepted · HTTP 200: ok', { exact: true }).waitFor();
    expect(await view.getByRole('row', { name: /Test message/ }).count()).toBe(2);
  });

  it('opens an alert by a click on its row, with the whole text', async () => {
    const text = 'The certificate of groq is not trusted: it is set aside. Check its expiry, name and issuer.';
    browser.gateway.services.get(AlertsService).alert({ type: 'target_aside', subject: 'groq', text });
    const page = await browser.open({ as: admin });
    await page.open('/alerts');
    await page.view
      .getByRole('row', { name: /Upstream paused after failures/ })
      .getByText('Sent', { exact: true })
      .click();
    const drawer = page.view.getByRole('dialog', { name: 'Upstream paused after failures' });
    await drawer.getByText(text).waitFor();
    expect(await drawer.innerText()).toMatch(/Attempts\s+1\s[\s\S]*Response\s+HTTP 200/);
    expect(page.path).toMatch(/^\/alerts\?alert=\d+$/);
  });

  it('shows the message once, on a phone as well', async () => {
    const text = 'The certificate of mistral is not trusted: it is set aside. Check its expiry, name and issuer.';
    browser.gateway.services.get(AlertsService).alert({ type: 'target_aside', subject: 'mistral', text });
    const page = await browser.open({ as: admin });
    for (const width of [360, 1024, 1920]) {
      await page.view.setViewportSize({ width, height: 900 });
      await page.open('/alerts');
      const shown = page.view.getByText(text).filter({ visible: true });
      await shown.waitFor();
      expect(await shown.count()).toBe(1);
      expect(await page.sidewaysFaults()).toEqual([]);
    }
  });

  it('shows a new alert by itself', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/alerts');
    browser.gateway.services
      .get(AlertsService)
      .alert({ type: 'ledger_back', subject: 'host', text: 'It works again.' });
    await page.view.getByRole('row', { name: /Ledger works again/ }).waitFor({ timeout: 25_000 });
  });
});

describe('the alerts of an upstream that fails and works by turns', () => {
  it('are one line with their number, which opens the upstream, and can be filtered', async () => {
    const alerts = browser.gateway.services.get(AlertsService);
    for (const type of ['target_aside', 'target_back', 'target_aside', 'target_back'] as const)
      alerts.alert({ type, subject: 'cohere', text: `cohere at 2026-11-28T10:00:00Z: ${type === 'target_back'}` });
    const page = await browser.open({ as: admin });
    await eventually(async () => {
      await page.open('/alerts');
      return (await page.view.getByRole('row').filter({ hasText: '4 ×' }).count()) === 1;
    });
    const row = page.view.getByRole('row').filter({ hasText: 'cohere' });
    expect(await row.count()).toBe(1);
    expect(await row.innerText()).not.toContain('2026-11-28T');
    expect(await row.getByRole('link', { name: 'cohere' }).getAttribute('href')).toBe('/upstreams?upstream=cohere');
    await page.view.getByRole('combobox', { name: 'Kind' }).click();
    await page.view.getByRole('option', { name: 'Budgets' }).click();
    await row.waitFor({ state: 'detached' });
    await page.view.getByText('Nothing matches').waitFor();
    expect(page.path).toBe('/alerts?kind=budgets');
    expect(await page.accessibilityFaults()).toEqual([]);
  });
});
