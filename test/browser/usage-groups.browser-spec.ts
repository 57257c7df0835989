import { afterEach, describe, expect, it } from '@jest/globals';
import { ProjectsService } from '../../src/accounts/projects.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ConsoleBrowser } from './support/console-browser.js';

const KEYS = 55;

const browser = await ConsoleBrowser.start();
const person = await browser.gateway.createPerson({ role: 'admin' });
await browser.gateway.database.query(
  `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
     price_version, cost_nanodollars)
   SELECT 'chatcmpl-' || n, now(), 1, 'r', gen_random_uuid(), $1, 'free', 'm', false, 'settled', 'v', 1000000000::bigint * n
   FROM generate_series(1, ${KEYS}) AS n`,
  [person.id],
);
afterEach(() => browser.closePages());

describe('the table of groups', () => {
  it('has the first 50, the sum of the others, and loads them on request', async () => {
    const { view, open } = await pageOf();
    await open('/usage?scope=all&by=key&metric=cost');
    await view.getByText('5 others: 5 requests, $15.00').waitFor();
    await view.getByRole('button', { name: 'Load 5 more' }).click();
    await view.getByText('50 of 55').waitFor();
    expect(await view.getByText('5 others').count()).toBe(0);
    expect(await view.getByRole('button', { name: /^Load \d/ }).count()).toBe(0);
  });
});

describe('usage by project', () => {
  it('shows each project by name, and filters by it but not by “No project”', async () => {
    const { services, database } = browser.gateway;
    const { userId } = await services.get(ProjectsService).create('Search', GATEWAY);
    await database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, cost_nanodollars)
       VALUES ('chatcmpl-project', now(), 1, 'r', gen_random_uuid(), $1, 'free', 'm', false, 'settled', 'v', 7000000000000)`,
      [userId],
    );
    const { view, open } = await pageOf();
    await open('/usage?scope=all');
    await view.getByRole('combobox', { name: 'Group by' }).click();
    await view.getByRole('option', { name: 'By project' }).click();
    const groups = view.getByRole('table', { name: 'Usage by project' });
    expect(await groups.getByRole('row', { name: /^Search/ }).innerText()).toMatch(/\$7,000\.00/);
    await groups.getByRole('row', { name: /^No project/ }).waitFor();
    expect(await groups.getByRole('button', { name: 'No project' }).count()).toBe(0);
    await groups.getByRole('button', { name: 'Search', exact: true }).click();
    await groups.getByRole('row', { name: /^No project/ }).waitFor({ state: 'detached' });
    expect(await groups.getByRole('row', { name: /^Search/ }).innerText()).toMatch(/\$7,000\.00/);
  });
});

describe('the color of a model', () => {
  it('is the same in every view and for everyone, and never that of a status', async () => {
    const models = ['claude-sonnet-5.5', 'gpt-6-luna'];
    await browser.gateway.database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, cost_nanodollars)
       SELECT 'chatcmpl-color-' || model, now(), 1, 'r', gen_random_uuid(), $1, 'free', model, false, 'settled', 'v', 5
       FROM unnest($2::text[]) AS model`,
      [person.id, models],
    );
    const { view, open } = await pageOf();
    const colorOf = (name: string) =>
      view
        .getByRole('list', { name: 'Series of the chart' })
        .getByTitle(`Hide ${name}`)
        .locator('span')
        .first()
        .evaluate((swatch) => swatch.ownerDocument.defaultView?.getComputedStyle(swatch).backgroundColor);
    await open('/usage?scope=all&by=model&metric=requests');
    const together = [await colorOf('claude-sonnet-5.5'), await colorOf('gpt-6-luna')];
    expect(new Set(together).size).toBe(2);
    await open('/usage?scope=all&by=model&metric=requests&models=gpt-6-luna');
    expect(await colorOf('gpt-6-luna')).toBe(together[1]);
    await open('/usage?scope=all&by=status&metric=requests');
    expect(together).not.toContain(await colorOf('Succeeded'));
  });
});

async function pageOf() {
  const page = await browser.open({ as: person });
  return { view: page.view, open: (path: string) => page.open(path) };
}
