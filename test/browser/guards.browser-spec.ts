import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { GuardAssignmentsService } from '../../src/auth/guard-assignments.service.js';
import { eventually } from '../support/eventually.js';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { TestProjects } from './support/test-projects.js';

const GUARDS = `guards:
  secrets: { detect: [credentials] }
  personal: { detect: [email, payment_card], words: { codenames: [bluebird] }, do: mask, on: [request, answer] }
  company: { webhook: { url: "http://127.0.0.1:9/check" }, do: report }
guardsForAll: [secrets]
`;

let browser: ConsoleBrowser;
let admin: TestPerson;
let manager: TestPerson;
let member: TestPerson;
let project: string;
let keyId: string;
let key: string;

beforeAll(async () => {
  browser = await ConsoleBrowser.start({ config: { 'gateway.yaml': GUARDS } });
  const { gateway } = browser;
  [admin, manager, member] = await Promise.all([
    gateway.createPerson({ role: 'admin' }),
    gateway.createPerson(),
    gateway.createPerson(),
  ]);
  const projects = new TestProjects(gateway, { manager, member });
  project = await projects.create('Support');
  ({ id: keyId, key } = await projects.createKey(project, 'support-bot'));
});
afterEach(() => browser?.closePages());

/** The faults of the current page, wide and narrow; keeps screenshots. */
async function faultsOf(page: ConsolePage, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1920, 1280, 360]) {
    await page.view.setViewportSize({ width, height: 900 });
    await page.settled();
    faults.push(...(await page.accessibilityFaults()), ...(await page.sidewaysFaults()));
    await page.screenshot(`${name}-${width}`);
  }
  await page.view.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

async function ask(content: string): Promise<Response> {
  const reply = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content }] }),
  });
  await reply.text();
  return reply;
}

const guardsOf = async (kind: 'plan' | 'project' | 'key', id: string) =>
  (await browser.gateway.services.get(GuardAssignmentsService).get(kind, id)).guards;

describe('The dialog of guards', () => {
  it('lets an administrator set and remove those of a plan, and says what applies to all', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/plans');
    await view.getByRole('button', { name: 'Guards of plan Free' }).click();
    const dialog = view.getByRole('dialog', { name: 'Guards of Free' });
    const secrets = dialog.getByRole('checkbox', { name: 'secrets' });
    expect([await secrets.isChecked(), await secrets.isDisabled()]).toEqual([true, true]);
    await dialog.getByText('Inherited from guardsForAll in gateway.yaml.').waitFor();
    expect(await faultsOf(page, 'guards-of-plan-light')).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'personal' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText('The guards of Free are saved').waitFor();
    expect(await guardsOf('plan', 'free')).toEqual(['personal']);
    await view
      .getByRole('region', { name: 'Plan Free' })
      .getByText(/Guards: personal/)
      .waitFor();
    await view.getByRole('button', { name: 'Guards of plan Free' }).click();
    await dialog.getByRole('checkbox', { name: 'personal' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await guardsOf('plan', 'free')).length === 0);
  });

  it('lets a manager add guards to the project and its key, but remove none', async () => {
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open(`/projects/${project}`);
    await view.getByRole('button', { name: 'More' }).click();
    await view.getByRole('menuitem', { name: 'Guards' }).click();
    const dialog = view.getByRole('dialog', { name: 'Guards of Support' });
    await dialog.getByRole('checkbox', { name: 'personal' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText('The guards of Support are saved').waitFor();
    expect(await guardsOf('project', project)).toEqual(['personal']);
    await view.getByRole('button', { name: 'More' }).click();
    await view.getByRole('menuitem', { name: 'Guards' }).click();
    expect(await dialog.getByRole('checkbox', { name: 'personal' }).isDisabled()).toBe(true);
    await dialog.getByText('Only administrators can remove it.').waitFor();

    await page.open(`/keys/${keyId}`);
    await view.getByRole('button', { name: 'More actions for support-bot' }).click();
    await view.getByRole('menuitem', { name: 'Guards' }).click();
    const ofKey = view.getByRole('dialog', { name: 'Guards of support-bot' });
    await ofKey.getByText('Inherited from the project Support.').waitFor();
    expect(await ofKey.getByRole('checkbox', { name: 'personal' }).isDisabled()).toBe(true);
    await ofKey.getByRole('checkbox', { name: 'secrets' }).waitFor();
    expect(await faultsOf(page, 'guards-of-key-light')).toEqual([]);
    expect(await ofKey.getByRole('checkbox', { name: 'company' }).isDisabled()).toBe(false);
    expect(await ofKey.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  it('is not needed to see the guards of a key, as its page names each, and what adds it', async () => {
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open(`/keys/${keyId}`);
    await view.getByText('secrets (all calls), personal (project Support)', { exact: true }).waitFor();
    expect(await faultsOf(page, 'key-with-guards-light')).toEqual([]);
    await view.getByRole('button', { name: 'More actions for support-bot' }).click();
    await view.getByRole('menuitem', { name: 'Guards' }).click();
    await view.getByRole('checkbox', { name: 'company' }).check();
    await view.getByRole('button', { name: 'Save' }).click();
    const all = 'secrets (all calls), personal (project Support), company (this key)';
    await view.getByText(all, { exact: true }).waitFor();
    await browser.gateway.services
      .get(GuardAssignmentsService)
      .set('key', keyId, { guards: [], mayRemove: true }, GATEWAY);
    const again = await browser.open({ as: admin, theme: 'dark' });
    await again.open(`/keys/${keyId}`);
    await again.view.getByText('secrets (all calls), personal (project Support)', { exact: true }).waitFor();
    expect(await faultsOf(again, 'key-with-guards-dark')).toEqual([]);
  });

  it('lets an administrator take away what a manager added, and warns of a guard that gateway.yaml lost', async () => {
    await browser.gateway.database.query("UPDATE api_keys SET guards = '{lost}' WHERE id = $1", [keyId]);
    const page = await browser.open({ as: admin, theme: 'dark' });
    const { view } = page;
    await page.open(`/keys/${keyId}`);
    await view.getByRole('button', { name: 'More actions for support-bot' }).click();
    await view.getByRole('menuitem', { name: 'Guards' }).click();
    const dialog = view.getByRole('dialog', { name: 'Guards of support-bot' });
    await dialog.getByText('gateway.yaml no longer has it: calls are refused').waitFor();
    expect(await faultsOf(page, 'guards-of-key-dark')).toEqual([]);
    await dialog.getByRole('checkbox', { name: 'lost' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText('The guards of support-bot are saved').waitFor();
    expect(await guardsOf('key', keyId)).toEqual([]);
  });

  it('is not offered to members for their own keys', async () => {
    const page = await browser.open({ as: member });
    const { view } = page;
    await page.open('/keys');
    await view.getByRole('button', { name: 'Create key' }).first().click();
    await view.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await view.getByRole('dialog', { name: /is ready$/ }).waitFor();
    await page.open('/keys');
    await view.getByRole('button', { name: /^Actions for/ }).click();
    await view.getByRole('menuitem', { name: 'Edit' }).waitFor();
    expect(await view.getByRole('menuitem', { name: 'Guards' }).count()).toBe(0);
  });
});

describe('The details of a request', () => {
  it('show what guards found, for calls and for refused requests', async () => {
    const masked = await eventually(async () => {
      const reply = await ask('Write to bob@example.com and eve@example.com about bluebird.');
      return reply.headers.get('x-gateway-guards') === 'personal=mask:3' && reply;
    });
    const blocked = await ask(`Use AKIA${'QWERTYUIOPASDFGH'}.`);
    expect(blocked.status).toBe(400);
    await eventually(async () => (await browser.gateway.database.query('SELECT FROM guard_hits')).length >= 3);
    const page = await browser.open({ as: admin });
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await page.open(`/requests?scope=all&call=${masked.headers.get('x-request-id')}`);
    await drawer.getByText('personal: email masked 2 times in the request').waitFor();
    await drawer.getByText(/personal: codenames masked in the request/).waitFor();
    expect(await faultsOf(page, 'request-guards-light')).toEqual([]);
    await page.open(`/requests?scope=all&call=${blocked.headers.get('x-request-id')}`);
    await drawer.getByText(/secrets: credentials blocked in the request/).waitFor();
  });
});

describe('The page Guards', () => {
  beforeAll(async () => {
    const guards = { guards: ['personal'], mayRemove: true };
    await browser.gateway.services.get(GuardAssignmentsService).set('project', project, guards, GATEWAY);
    await eventually(async () => (await ask('About bluebird.')).headers.get('x-gateway-guards') !== null);
    const hits = () => browser.gateway.database.query("SELECT FROM guard_hits WHERE kind = 'codenames'");
    await eventually(async () => (await hits()).length > 0);
  });

  it.each(['light', 'dark'] as const)(
    'shows definitions, where they apply with links, and what they found (%s)',
    async (theme) => {
      const page = await browser.open({ as: admin, theme });
      const { view } = page;
      await page.open('/guards');
      const row = (table: string, text: string | RegExp) =>
        view.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text });
      const definitions = row('guards', 'gateway.yaml, line 3');
      expect(await definitions.innerText()).toMatch(
        /personal\s+gateway.yaml, line 3\s+Mask\s+Requests, Answers\s+email, payment_card, codenames/,
      );
      expect(await row('guards', 'company').innerText()).toMatch(
        /webhook service decides\s+http:\/\/127.0.0.1:9\/check/,
      );
      expect(await row('Where guards apply', 'All calls').innerText()).toMatch(/All calls\s+Everyone\s+secrets/);
      await row('Where guards apply', 'Support').getByRole('link', { name: 'Support' }).waitFor();
      expect(await row('What guards found', 'codenames').innerText()).toMatch(
        /personal\s+codenames\s+Masked\s+Requests\s+\d/,
      );
      expect(await faultsOf(page, `guards-${theme}`)).toEqual([]);
      await row('Where guards apply', 'Support').getByRole('link', { name: 'Support' }).click();
      await page.settled();
      expect(page.path).toBe(`/projects/${project}`);
    },
  );

  it('tries a text, marks the findings in it, and stores nothing', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/guards');
    const hits = async () =>
      Number((await browser.gateway.database.query('SELECT count(*) AS n FROM guard_hits'))[0]?.n);
    const before = await hits();
    await view.getByRole('combobox', { name: 'Guard' }).selectOption('personal');
    await view.getByRole('textbox', { name: 'Text' }).fill('Mail bob@example.com\nabout Bluebird.');
    await view.getByRole('button', { name: 'Try' }).click();
    await view.getByText('personal has 2 findings').waitFor();
    expect(await view.locator('mark').allInnerTexts()).toEqual(['bob@example.com', 'Bluebird']);
    expect(await view.getByRole('list', { name: 'Findings' }).getByRole('listitem').allInnerTexts()).toEqual([
      'Masked: an email address (characters 6 to 20)',
      'Masked: a word of the list codenames (characters 28 to 35)',
    ]);
    expect(await faultsOf(page, 'guards-trial-light')).toEqual([]);
    await view.getByRole('textbox', { name: 'Text' }).fill('Nothing.');
    await view.getByRole('button', { name: 'Try' }).click();
    await view.getByText('personal finds nothing in this text.').waitFor();
    expect(await hits()).toBe(before);
    await view.getByRole('combobox', { name: 'Guard' }).selectOption('company');
    await view.getByRole('button', { name: 'Try' }).click();
    await view.getByText('The guard company cannot check this call now.').waitFor();
    expect(page.watch.takeFaults().filter((fault) => !fault.includes('503'))).toEqual([]);
    expect(browser.takeErrors().filter((line) => !line.includes('guard_unavailable'))).toEqual([]);
  });

  it('is reached from the navigation, by administrators only', async () => {
    const page = await browser.open({ as: admin });
    await page.open('/');
    await page.view.getByRole('navigation').getByRole('link', { name: 'Guards' }).click();
    await page.settled();
    expect(await page.heading()).toBe('Guards');
    const other = await browser.open({ as: manager });
    await other.open('/guards');
    expect(await other.heading()).toBe('Page not found');
    expect(await other.view.getByRole('link', { name: 'Guards' }).count()).toBe(0);
  });

  it('explains with an example where gateway.yaml has no guards', async () => {
    const empty = await ConsoleBrowser.start();
    const page = await empty.open({ as: await empty.gateway.createPerson({ role: 'admin' }) });
    await page.open('/guards');
    await page.view.getByRole('heading', { name: 'No guards yet' }).waitFor();
    await page.view
      .getByRole('region', { name: 'example of gateway.yaml' })
      .getByText('guardsForAll: [secrets]')
      .waitFor();
    expect(await faultsOf(page, 'guards-empty-light')).toEqual([]);
  });
});
