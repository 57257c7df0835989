import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData, type DemoData } from './support/demo-data.js';

let browser: ConsoleBrowser;
let demo: DemoData;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
  demo = await createDemoData(browser.gateway);
});
afterEach(() => browser?.closePages());
afterAll(() => browser?.stop());

describe('the last 24 hours of a model', () => {
  it('are figures on its page, with how they are computed', async () => {
    const page = await browser.open({ as: demo.member });
    await page.open('/models/claude-sonnet-5');
    const text = await page.view.getByRole('region', { name: 'Last 24 hours' }).innerText();
    expect(text).toMatch(/Requests\s+\d+/);
    expect(text).toMatch(/Success\s+[\d.]+%/);
    expect(text).toMatch(/First token, median\s+[\d.]+ m?s\s+p95 [\d.]+ m?s/);
    // Answers of the demo data take 9 ms for each token.
    expect(text).toMatch(/Tokens per second\s+111/);
    expect(text).toMatch(/For the requests of all users together\. Measured over [\d,]+ streamed requests\./);
    expect(text).toContain('output tokens, divided by the time from the first token to the end');
  });

  it('are columns of the table of models, which can be sorted by them', async () => {
    const page = await browser.open({ as: demo.member, width: 1440 });
    const { view } = page;
    await page.open('/models');
    await view.getByRole('radio', { name: 'Cards' }).press('ArrowRight');
    const row = view.getByRole('row', { name: /claude-sonnet-5/ });
    await row.getByText(/% success$/).waitFor();
    expect(await row.innerText()).toMatch(/[\d.]+ m?s\s+p95 [\d.]+ m?s\s+111/);
    await view.getByRole('button', { name: 'Last 24 h' }).click();
    const first = view.locator('tbody tr').first();
    expect(await first.innerText()).toContain('gpt-5.4-nano');
    for (const width of [1440, 1280, 1024]) {
      await page.view.setViewportSize({ width, height: 800 });
      expect(await page.sidewaysFaults()).toEqual([]);
    }
  });
});
