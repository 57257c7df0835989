import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData } from './support/demo-data.js';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

describe('the last 24 hours of a model', () => {
  it('are figures on its page, with how they are computed', async () => {
    const page = await browser.open({ as: demo.member });
    await page.open('/models/claude-sonnet-5.5');
    const text = await page.view.getByRole('region', { name: 'Last 24 hours' }).innerText();
    expect(text).toMatch(/Requests\s+\d+/);
    expect(text).toMatch(/Success\s+[\d.]+%/);
    expect(text).toMatch(/First token, median\s+[\d.]+ m?s\s+p95 [\d.]+ m?s/);
    // Answers of the demo data take 9 ms for each token.
    expect(text).toMatch(/Tokens per second\s+111/);
    expect(text).toMatch(
      /For the requests of all users together\. Measured over (?:one streamed request|[\d,]+ streamed requests)\./,
    );
    expect(text).toContain('output tokens, divided by the time from the first token to the end');
  });

  it('are columns of the table of models, which can be sorted by them', async () => {
    const page = await browser.open({ as: demo.member, width: 1440 });
    const { view } = page;
    await page.open('/models');
    await view.getByRole('radio', { name: 'Cards' }).press('ArrowRight');
    const row = view.getByRole('row', { name: /claude-sonnet-5.5/ });
    await row.getByText(/% success$/).waitFor();
    expect(await row.innerText()).toMatch(/[\d.]+ m?s\s+p95 [\d.]+ m?s\s+111/);
    await view.getByRole('button', { name: 'Last 24 h' }).click();
    const first = view.locator('tbody tr').first();
    expect(await first.innerText()).toContain('gpt-6-luna');
    for (const width of [1440, 1280, 1024]) {
      await page.view.setViewportSize({ width, height: 800 });
      expect(await page.sidewaysFaults()).toEqual([]);
    }
  });
});

describe('the last 30 days of a model', () => {
  it('are shown to administrators by user, and lead to the requests of a user with this model', async () => {
    const page = await browser.open({ as: demo.admin });
    const { view } = page;
    await page.open('/models/claude-sonnet-5.5');
    const usage = view.getByRole('region', { name: 'Usage, last 30 days' });
    await usage.getByText('By day and user').waitFor();
    const users = await usage.getByRole('table', { name: 'Usage by user' }).innerText();
    expect(users).toMatch(/ada@example\.com[\s\S]*\$/);
    expect(users).toContain('grace@example.com');
    expect(await usage.locator('svg rect').count()).toBeGreaterThan(10);
    const inUsage = await usage.getByRole('link', { name: 'Open in Usage' }).getAttribute('href');
    expect(inUsage).toMatch(/^\/usage\?(?=.*models=claude-sonnet-5.5)(?=.*by=user)(?=.*scope=all)/);
    const errors = view.getByRole('region', { name: 'Recent errors' });
    expect(await errors.getByRole('link', { name: /^(Failed|Refused)/ }).count()).toBeGreaterThan(0);
    await usage.getByRole('link', { name: 'grace@example.com' }).click();
    await view.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await page.settled();
    expect(page.path).toContain('models=claude-sonnet-5.5');
    expect(page.path).toContain(`users=${demo.member.id}`);
    const rows = view.locator('tbody tr');
    expect(await rows.count()).toBeGreaterThan(3);
    for (const row of (await rows.allInnerTexts()).slice(0, 20)) {
      expect(row).toContain('claude-sonnet-5.5');
      expect(row).not.toContain('ada-laptop');
    }
  });

  it('are shown to members by key, of their own requests only', async () => {
    const { key } = await browser.gateway.services
      .get(ApiKeysService)
      .create({ name: 'faulty-script', userId: demo.member.id, expiresAt: null }, GATEWAY);
    const response = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-5.5',
        messages: [{ role: 'user', content: 'Hi' }],
        temperature: 17,
      }),
    });
    await response.text();
    expect(response.status).toBe(400);
    const page = await browser.open({ as: demo.member });
    const { view } = page;
    await page.open('/models/claude-sonnet-5.5');
    const usage = view.getByRole('region', { name: 'Usage, last 30 days' });
    await usage.getByText('By day and key').waitFor();
    const keys = await usage.getByRole('table', { name: 'Usage by key' }).innerText();
    expect(keys).toContain('grace-compiler');
    expect(keys).not.toContain('ada-laptop');
    const errors = view.getByRole('region', { name: 'Recent errors' });
    await eventually(async () => {
      await page.open('/models/claude-sonnet-5.5');
      return (await errors.locator('tbody tr').filter({ hasText: 'faulty-script' }).count()) > 0;
    });
    const rows = await errors.locator('tbody tr').allInnerTexts();
    for (const row of rows) expect(row).toMatch(/grace-compiler|batch-jobs|faulty-script/);
  });
});
