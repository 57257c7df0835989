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

describe('the page of budgets', () => {
  it('lists who is near a budget, and leads to the user', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/budgets');
    const { view } = page;
    const row = view.getByRole('row', { name: /grace@example\.com/ });
    expect(await row.innerText()).toMatch(/User[\s\S]*This month[\s\S]*of \$60\.00/);
    await row.getByRole('link', { name: 'grace@example.com' }).click();
    await view.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  });

  it('leads from the budget of a project to the project', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/budgets?budget=project');
    await page.view.getByRole('row').getByRole('link', { name: 'Search' }).click();
    await page.view.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(page.path).toBe(`/projects/${demo.project}`);
  });

  it('is narrowed by state, owner and period, which stay in the address', async () => {
    const page = await browser.open({ as: demo.admin });
    await page.open('/budgets?budget=key&period=total');
    const rows = page.view.locator('tbody tr');
    expect(await rows.count()).toBe(1);
    expect(await rows.first().innerText()).toMatch(/grace-compiler[\s\S]*In total/);
    await page.open('/budgets?budget=key&period=month');
    await page.view.getByRole('button', { name: 'Clear search and filters' }).click();
    await page.view.getByRole('row', { name: /grace@example\.com/ }).waitFor();
    expect(page.path).toBe('/budgets');
  });
});
