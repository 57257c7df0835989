import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData } from './support/demo-data.js';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
afterEach(() => browser.closePages());

async function usage(query = '', width?: number): Promise<ConsolePage> {
  const page = await browser.open({ as: demo.admin, width });
  await page.open(`/usage?scope=all&${query}`);
  return page;
}

const strip = ({ view }: ConsolePage) => view.getByRole('group', { name: 'Metric', exact: true });

describe('the controls of the page Usage', () => {
  it('leave room for the numbers and the chart on the first screen of a phone', async () => {
    const page = await usage('', 360);
    const numbers = await strip(page).boundingBox();
    const chart = await page.view.locator('figure svg').first().boundingBox();
    expect(numbers?.y).toBeLessThan(280);
    expect((chart?.y ?? 0) + (chart?.height ?? 900)).toBeLessThan(820);
    const row = [
      page.view.getByRole('combobox', { name: 'Range' }),
      page.view.getByRole('radiogroup', { name: 'Whose usage' }),
      page.view.getByRole('button', { name: 'Filter' }),
      page.view.getByRole('button', { name: 'View' }),
    ];
    const middles = await Promise.all(row.map(async (one) => middleOf(await one.boundingBox())));
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
    const [around, last] = await Promise.all([row[1]?.boundingBox(), page.view.getByText('Everyone’s').boundingBox()]);
    expect((last?.x ?? 0) + (last?.width ?? 999)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
  });

  it('include the numbers: the selected one is shown in the chart and the table', async () => {
    const page = await usage();
    const pressed = strip(page).locator('[aria-pressed="true"]');
    expect(await pressed.innerText()).toMatch(/^Cost/);
    await strip(page)
      .getByRole('button', { name: /^Tokens/ })
      .click();
    await page.settled();
    expect(await pressed.innerText()).toMatch(/^Tokens/);
    expect(page.path).toContain('metric=tokens');
    await page.view.getByRole('columnheader', { name: 'Tokens', exact: true }).waitFor();
    await page.view.getByRole('combobox', { name: 'Which metric' }).click();
    await page.view.getByRole('option', { name: 'Cached input tokens' }).click();
    expect(page.path).toContain('metric=cached');
    expect(await pressed.innerText()).toMatch(/^Tokens/);
  });

  it('include rarely used ones under View, each with its name', async () => {
    const page = await usage();
    await page.view.getByRole('button', { name: 'View' }).click();
    const view = page.view.getByRole('dialog', { name: 'View' });
    await view.getByText('UTC', { exact: true }).click();
    await view.getByRole('radiogroup', { name: 'Chart interval' }).getByText('Hours').click();
    await view.getByRole('switch', { name: 'Compare with the previous period' }).click();
    await page.settled();
    expect(page.path).toMatch(/zone=utc/);
    expect(page.path).toMatch(/step=hour/);
    expect(page.path).toMatch(/compare=off/);
    expect(await page.accessibilityFaults()).toEqual([]);
  });

  it('have all filters in one place, and show each active filter with a button to remove it', async () => {
    const page = await usage();
    await page.view.getByRole('button', { name: 'Filter' }).click();
    const filter = page.view.getByRole('dialog', { name: 'Filter' });
    await filter.getByText('Claude Sonnet 5.5').click();
    await filter.getByText('Status', { exact: true }).click();
    await filter.getByText('Failed').click();
    await page.settled();
    expect(page.path).toMatch(/models=claude-sonnet-5.5/);
    expect(page.path).toMatch(/statuses=failed/);
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.view.keyboard.press('Escape');
    await page.view.getByRole('button', { name: 'Remove the filter Model Claude Sonnet 5.5' }).click();
    expect(page.path).not.toMatch(/models=/);
    await page.view.getByRole('button', { name: 'Clear filters' }).click();
    expect(page.path).not.toMatch(/statuses=/);
  });
});

describe('a charge-back', () => {
  it('is a file of last month by project and model, four clicks from the page Usage', async () => {
    const page = await browser.open({ as: demo.admin, width: 1280 });
    await page.open('/usage?scope=all');
    await page.view.getByRole('combobox', { name: 'Range' }).click();
    await page.view.getByRole('option', { name: lastMonth() }).click();
    await page.view.getByRole('button', { name: 'Export' }).click();
    const panel = page.view.getByRole('dialog', { name: 'Export' });
    const [download, request] = [page.view.waitForEvent('download'), page.view.waitForRequest(/usage.export/)];
    await panel.getByRole('link', { name: 'CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^usage-report-\d{4}-\d{2}-01-\d{4}-\d{2}-(28|29|30|31)\.csv$/);
    expect((await request).url()).toContain('groups=model%2Cproject');
    expect((await request).url()).toContain('granularity=month');
    expect(await page.accessibilityFaults()).toEqual([]);
  });
});

/** "October", in the language of the browser. */
function lastMonth(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth() - 1, 1).toLocaleDateString('en', { month: 'long' });
}

function middleOf(box: { y: number; height: number } | null): number {
  return box ? box.y + box.height / 2 : Number.NaN;
}
