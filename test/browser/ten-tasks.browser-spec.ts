import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { ProjectsService } from '../../src/accounts/projects.service.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { PlansService } from '../../src/billing/plans.service.js';
import { UsageLedgerService } from '../../src/ledger/usage-ledger.service.js';
import { ProjectLimitsService, UserLimitsService } from '../../src/limits/settings/limit-settings.service.js';
import { budgetsCounted } from '../support/counted-budgets.js';
import { eventually } from '../support/eventually.js';
import { createPartitions } from '../support/ledger-partitions.js';
import { closedCall, openCall } from '../support/test-calls.js';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { TestProjects } from './support/test-projects.js';

type Who = 'admin' | 'lead' | 'member';

const EVERYONE = [['admin'], ['lead'], ['member']] as const;
const MAX_CLICKS = 4;
const DAY_MS = 86_400_000;
const MODELS = ['gpt-6-luna', 'mistral-small-4'] as const;

/** With calls of today and of last month; the lead manages it. */
/** Of each person; the lead's belongs to the project. */

const browser = await ConsoleBrowser.start();
const { gateway } = browser;
const people: Record<Who, TestPerson> = {
  admin: await gateway.createPerson({ email: 'ada@example.com', name: 'Ada Lovelace', role: 'admin' }),
  lead: await gateway.createPerson({ email: 'grace@example.com', name: 'Grace Hopper' }),
  member: await gateway.createPerson({ email: 'alan@example.com', name: 'Alan Turing' }),
};
const outsider = await gateway.createPerson({ email: 'edsger@example.com' });
const projects = new TestProjects(gateway, { manager: people.lead, member: outsider });
const project: string = await projects.create('Search');
await createPartitions(gateway.database, new Date(Date.now() - 62 * DAY_MS), new Date());
const owners = await ownersOf();
const secrets: Record<Who, string> = { admin: '', lead: '', member: '' };
for (const who of ['admin', 'lead', 'member'] as const) {
  const { id, key } = await newKey(who, `${who}-main`);
  secrets[who] = key;
  for (const at of [Date.now() - 60_000, Date.now() - 32 * DAY_MS]) {
    for (const model of MODELS) {
      const call = openCall({ userId: owners[who], keyId: id, model, stream: true, startedAt: new Date(at) });
      const cost = { costNanodollars: who === 'member' ? 2_000_000_000n : 1_000_000_000n };
      await gateway.services.get(UsageLedgerService).close(closedCall(call, cost));
    }
  }
  for (const model of MODELS) expect((await complete(key, model)).status).toBe(200);
}
const limits = { budgetMonthNanodollars: 50_000_000_000n };
await gateway.services.get(UserLimitsService).set(people.member.id, limits, GATEWAY);
await gateway.services.get(ProjectLimitsService).set(project, limits, true, GATEWAY);
for (const key of Object.values(secrets)) await complete(key);
await budgetsCounted(gateway.database);
afterEach(() => browser.closePages());
afterAll(async () => {
  process.stdout.write(`\n${records.join('\n')}\n`);
});

const records: string[] = [];

/** Who owns the keys: the project that the lead manages, or the person. */
async function ownersOf(): Promise<Record<Who, string>> {
  const { userId } = await browser.gateway.services.get(ProjectsService).get(project);
  return { admin: people.admin.id, lead: userId, member: people.member.id };
}

async function newKey(who: Who, name: string) {
  const owners = await ownersOf();
  return browser.gateway.services.get(ApiKeysService).create({ name, userId: owners[who], expiresAt: null }, GATEWAY);
}

async function complete(secret: string, model: string = MODELS[0], body: object = {}) {
  const response = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }], ...body }),
  });
  const { id = '' } = (await response.json()) as { id?: string };
  return { status: response.status, id, requestId: String(response.headers.get('x-request-id')) };
}

/** A task of a signed-in person, from the overview on: its clicks are counted, and so is Enter in a search. */
class Task {
  private clicks = 0;
  private readonly start = Date.now();

  private constructor(
    private readonly name: string,
    readonly page: ConsolePage,
  ) {}

  static async start(name: string, as: TestPerson, width = 1280): Promise<Task> {
    const page = await browser.open({ as, width });
    await page.open('/');
    return new Task(name, page);
  }

  get view() {
    return this.page.view;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  async goTo(page: string): Promise<void> {
    await this.click(this.view.getByRole('navigation').getByRole('link', { name: page, exact: true }));
    await this.view.getByRole('heading', { level: 1, name: page }).waitFor();
  }

  /** Pastes a text into the palette, waits until it is found, and presses Enter. */
  async find(text: string, result: RegExp): Promise<void> {
    await this.view.keyboard.press('ControlOrMeta+k');
    await this.view.getByPlaceholder(/request id/).waitFor();
    await this.view.evaluate(`navigator.clipboard.writeText('${text}')`);
    await this.view.keyboard.press('ControlOrMeta+v');
    await this.view.getByRole('dialog').getByRole('button', { name: result }).first().waitFor();
    this.clicks++;
    await this.view.keyboard.press('Enter');
  }

  /** The task is done: notes what it took. */
  done(): void {
    const seconds = ((Date.now() - this.start) / 1000).toFixed(1);
    records.push(`${this.name}: ${this.clicks} clicks, ${seconds} s`);
    expect(this.clicks).toBeLessThanOrEqual(MAX_CLICKS);
  }
}

const start = (task: string, who: Who) => Task.start(`${task}, ${who}`, people[who]);

describe.each(EVERYONE)('in four clicks or fewer, the %s', (who) => {
  it('sees why a call failed', async () => {
    const { id, key } = await newKey(who, `${who}-script`);
    const { requestId } = await complete(key, MODELS[0], { temperature: 17 });
    const noted = () => browser.gateway.database.query('SELECT FROM recent_errors WHERE key_id = $1', [id]);
    await eventually(async () => (await noted()).length === 1);
    const task = await start('why a call failed', who);
    const row = task.view.getByRole('row').filter({ hasText: `${who}-script` });
    await task.click(row.getByRole('link', { name: /^Refused: / }));
    const drawer = task.view.getByRole('dialog', { name: 'Request' });
    await drawer
      .getByText(/^Invalid value for 'temperature'/)
      .first()
      .waitFor();
    await drawer.getByText(requestId).first().waitFor();
    task.done();
  });

  it('sees who, or what, spent most this week', async () => {
    const [by, first] = { admin: ['user', 'Alan Turing'], lead: ['project', 'Search'], member: ['key', 'member-main'] }[
      who
    ];
    const task = await start('who spent most this week', who);
    await task.click(task.view.getByRole('link', { name: `Cost by ${by}, last 7 days` }));
    const table = task.view.getByRole('table', { name: `Usage by ${by}` });
    await table
      .locator('tbody tr')
      .first()
      .filter({ hasText: String(first) })
      .waitFor();
    task.done();
  });

  it('sees what is left of a budget', async () => {
    const task = await start('what is left', who);
    if (who === 'member') {
      await task.view.getByText(/ of \$50\.00 · \$[\d.]+ left/).waitFor();
    } else {
      await task.goTo('Budgets');
      const row = task.view.getByRole('row', { name: /Search/ });
      expect(await row.getByRole('cell').nth(4).innerText()).toMatch(/^\$4\d\.\d+$/);
    }
    task.done();
  });

  it('stops a leaked key, whose secret is pasted', async () => {
    const { key } = await newKey(who, `${who}-leaked`);
    expect((await complete(key)).status).toBe(200);
    const task = await start('stop a leaked key', who);
    await task.find(key, new RegExp(`${who}-leaked`));
    await task.click(task.view.getByRole('button', { name: 'Revoke', exact: true }));
    await task.click(task.view.getByRole('alertdialog').getByRole('button', { name: /^Revoke/ }));
    await task.view.getByText('Revoked', { exact: true }).first().waitFor();
    task.done();
    await eventually(async () => (await complete(key)).status === 401);
  });

  it('finds a request by any of its ids', async () => {
    const { id, requestId } = await complete(secrets[who]);
    for (const [kind, text] of [
      ['request id', requestId],
      ['completion id', id],
    ] as const) {
      const task = await start(`a request by its ${kind}`, who);
      await task.find(text, new RegExp(requestId));
      await task.view.getByRole('dialog', { name: 'Request' }).getByText(requestId).first().waitFor();
      task.done();
    }
  });

  it('compares the latency of two models', async () => {
    const task = await start("two models' latency", who);
    await task.goTo('Models');
    await task.click(task.view.locator('label').filter({ hasText: 'Table' }));
    for (const model of MODELS) {
      const row = task.view.getByRole('row', { name: new RegExp(model) });
      await row
        .getByText(/p95 [\d.]+ m?s/)
        .first()
        .waitFor();
    }
    task.done();
  });

  it('gets last month’s costs by project and model as a file', async () => {
    const task = await start('last month’s costs as a file', who);
    await task.goTo('Usage');
    await task.click(task.view.getByRole('button', { name: 'Export' }));
    const panel = task.view.getByRole('dialog', { name: 'Export' });
    const download = task.view.waitForEvent('download');
    const by = who === 'member' ? 'by model' : 'by project and model';
    await task.click(panel.getByRole('link', { name: new RegExp(`^[A-Z][a-z]+ ${by}$`) }));
    const text = readFileSync(await (await download).path(), 'utf8');
    task.done();
    expect(text).toContain(MODELS[1]);
    if (who !== 'member') expect(text.split('\n').filter((line) => line.includes('Search'))).toHaveLength(2);
    const others = text.split('\n').length;
    if (who === 'admin') expect(others).toBeGreaterThan(4);
  });

  it('gets a first key', async () => {
    const role = who === 'admin' ? 'admin' : 'member';
    const newcomer = await browser.gateway.createPerson({ role });
    if (who === 'lead') {
      await new TestProjects(browser.gateway, { manager: newcomer, member: people.member }).create('Newcomers');
    }
    const task = await Task.start(`first key, ${who}`, newcomer);
    if (who === 'lead') {
      await task.goTo('API Keys');
      await task.click(task.view.getByRole('button', { name: 'Create key' }).first());
    } else {
      await task.click(task.view.getByRole('main').getByRole('link', { name: 'Create key' }));
    }
    const dialog = task.view.getByRole('dialog');
    await task.click(dialog.getByRole('button', { name: 'Create key' }));
    await task.click(dialog.getByRole('button', { name: 'Copy', exact: true }).first());
    const copied = await task.view.evaluate<string>('navigator.clipboard.readText()');
    task.done();
    expect((await complete(copied)).status).toBe(200);
  });
});

describe('in four clicks or fewer', () => {
  it('an administrator gives a user the plan Pro', async () => {
    const task = await start('pro for a user', 'admin');
    await task.goTo('Users');
    await task.click(task.view.getByRole('link', { name: 'edsger@example.com' }));
    await task.click(task.view.getByRole('button', { name: 'Change plan…' }));
    await task.click(task.view.getByRole('dialog').getByRole('button', { name: 'Grant plan' }));
    await task.view.getByText('edsger@example.com now has the plan Pro').waitFor();
    task.done();
    const [{ id } = { id: '' }] = await browser.gateway.database.query(
      "SELECT id FROM users WHERE email = 'edsger@example.com'",
    );
    const plans = await browser.gateway.services.get(PlansService).currentOf([id]);
    expect(plans.get(id)?.plan.id).toBe('pro');
  });

  it.each(['lead', 'admin'] as const)('the %s changes the budget of a project', async (who) => {
    const task = await start('a project’s budget', who);
    await task.goTo('Budgets');
    await task.click(task.view.getByRole('button', { name: 'Change the budget of Search' }));
    const dialog = task.view.getByRole('dialog', { name: 'Budget of Search' });
    const amount = who === 'lead' ? '30' : '70';
    await dialog.getByRole('textbox', { name: 'Budget per month' }).fill(amount);
    await task.click(dialog.getByRole('button', { name: 'Save' }));
    await task.view.getByText('The budget of Search is saved').waitFor();
    task.done();
    const { values } = await browser.gateway.services.get(ProjectLimitsService).get(project);
    expect(values.budgetMonthNanodollars).toBe(BigInt(amount) * 1_000_000_000n);
  });
});
