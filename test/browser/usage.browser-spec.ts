import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData } from './support/demo-data.js';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

async function usage(query: string, width?: number): Promise<ConsolePage> {
  const page = await browser.open({ as: demo.admin, width });
  await page.open(`/usage?scope=all&range=30d&${query}`);
  return page;
}

/** The color of each item of the legend. */
async function colors({ view }: ConsolePage): Promise<Record<string, string>> {
  const items = await view.getByRole('list', { name: 'Series of the chart' }).getByRole('button').all();
  const pairs = items.map(async (item) => {
    const swatch = await item.locator('span').first().getAttribute('style');
    return [await item.locator('span').nth(1).innerText(), swatch ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

const firstColumn = ({ view }: ConsolePage) =>
  view.getByRole('table', { name: 'Usage by model' }).locator('tbody tr td:first-child').allInnerTexts();

describe('the chart of the page Usage', () => {
  it('gives a model the same color for every metric, and in the table', async () => {
    const page = await usage('metric=cost');
    const byCost = await colors(page);
    expect(new Set(Object.values(byCost)).size).toBe(Object.keys(byCost).length);
    await page.open('/usage?scope=all&range=30d&metric=p95');
    expect(await colors(page)).toEqual(byCost);
    await page.open('/usage?scope=all&range=30d&metric=requests&models=claude-sonnet-5.5');
    expect(Object.keys(await colors(page))).toEqual(['claude-sonnet-5.5']);
  });

  it('shows success in green, failure in red, and aborted calls in grey', async () => {
    const page = await usage('by=status');
    const shown = await colors(page);
    expect(shown.Succeeded).toContain('--console-good');
    expect(shown.Failed).toContain('--console-bad');
    expect(shown.Aborted).toContain('--series-rest');
  });

  it('has a legend that hides and shows a series', async () => {
    const page = await usage('metric=cost');
    const rectangles = page.view.locator('figure svg > rect');
    await rectangles.first().waitFor();
    const bars = () => rectangles.count();
    const all = await bars();
    const button = page.view.getByRole('button', { name: /^claude-sonnet-5.5 / });
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    expect(await bars()).toBeLessThan(all);
    expect(page.path).not.toContain('models=');
    await button.click();
    expect(await bars()).toBe(all);
  });

  it('has a table in the order of the metric, with shares and a total', async () => {
    const page = await usage('metric=cost');
    const byCost = await firstColumn(page);
    await page.open('/usage?scope=all&range=30d&metric=requests');
    const byRequests = await firstColumn(page);
    expect(byRequests[0]).toContain('gpt-6-luna');
    expect(byCost[0]).not.toContain('gpt-6-luna');
    const table = page.view.getByRole('table', { name: 'Usage by model' });
    await table.getByRole('columnheader', { name: 'Share' }).waitFor();
    expect(await table.locator('tfoot').innerText()).toMatch(/^Total\s+100%/);
  });
});
