import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { completion } from '../support/chat-answers.js';
import { eventually } from '../support/eventually.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { TestProjects } from './support/test-projects.js';

const row = (id: string, upstream: string) =>
  `- { id: ${id}, tier: free, displayName: ${id}, description: A model of the house., contextLength: 100000,
    maxOutputTokens: 1000, price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, cache: { ttl: 1h },
    targets: [{ upstream: ${upstream}, model: m }] }`;

let key: string;
let keyId: string;
/** The ids of requests that were answered from the cache. */
const hits = { paid: '', simulated: '' };

const upstream = await ScriptedUpstream.start();
const browser = await ConsoleBrowser.start({
  env: { CONTENT_LOG_KEY: randomBytes(32).toString('base64'), OPENAI_API_KEY: 'k' },
  config: {
    'models.yaml': [row('paid', 'openai'), row('simulated', 'other')].join('\n'),
    'upstreams.yaml': `openai: { protocol: openai, baseUrl: "${upstream.url}/v1" }
other: { protocol: openai, baseUrl: "https://other.example/v1" }`,
  },
});
const admin = await browser.gateway.createPerson({ role: 'admin' });
const manager = await browser.gateway.createPerson();
const member = await browser.gateway.createPerson();
const projects = new TestProjects(browser.gateway, { manager, member });
const project: string = await projects.create('Search');
({ key, id: keyId } = await projects.createKey(project, 'search-bot'));
upstream.always(() => completion('She wrote the first program.'));
hits.paid = await hitOf('paid');
hits.simulated = await hitOf('simulated');
afterEach(() => browser.closePages());

/** Resolves to the request's id and whether it was a `hit`. */
async function ask(model: string) {
  const reply = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Who was Ada Lovelace?' }] }),
  });
  await reply.text();
  return { id: reply.headers.get('x-request-id'), result: reply.headers.get('x-gateway-cache') };
}

async function faultsOf(page: ConsolePage, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.view.setViewportSize({ width, height: 900 });
    await page.settled();
    faults.push(...(await page.accessibilityFaults()), ...(await page.sidewaysFaults()));
    await page.screenshot(`${name}-${width}`);
  }
  return faults;
}

/** Asks the same until it is answered from the cache; resolves to that request's id. */
async function hitOf(model: string): Promise<string> {
  await ask(model);
  return eventually(async () => {
    const { id, result } = await ask(model);
    return result === 'hit' && id;
  });
}

describe('A request that was answered from the cache', () => {
  it.each([
    ['paid', 'light', '$0.000041'],
    ['simulated', 'dark', '$0.00'],
  ] as const)('says so with what it would have cost (%s model, %s)', async (model, theme, cost) => {
    const page = await browser.open({ as: admin, theme });
    await page.open(`/requests?scope=all&call=${hits[model]}`);
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('From the cache', { exact: true }).waitFor();
    await drawer.getByText('It was answered from the cache, so no provider was called.').waitFor();
    const [sentence] = await drawer.getByRole('list', { name: 'Cost breakdown' }).getByRole('listitem').allInnerTexts();
    expect(sentence).toBe(`Answered from the cache; it would have cost ${cost}.`);
    expect(await drawer.getByText('Simulated', { exact: true }).count()).toBe(model === 'simulated' ? 1 : 0);
    expect(await faultsOf(page, `request-from-cache-${theme}`)).toEqual([]);
  });
});

describe('The page Usage', () => {
  it.each(['light', 'dark'] as const)('shows hit rate and saved money by model and project (%s)', async (theme) => {
    const used = async () => {
      const [row] = await browser.gateway.database.query<{ n: number }>('SELECT sum(hits)::int AS n FROM cache_days');
      return (row?.n ?? 0) >= 2;
    };
    await eventually(used, 5000);
    const page = await browser.open({ as: admin, theme });
    await page.open('/usage?scope=all');
    const { view } = page;
    await view.getByRole('heading', { name: 'Cache of equal answers' }).waitFor();
    const [models, projects] = await Promise.all(
      ['Cache by model', 'Cache by project'].map((name) =>
        view.getByRole('table', { name }).locator('tbody').innerText(),
      ),
    );
    expect(models).toMatch(/paid\s+1\s+\d+%\s+\$0\.000041/);
    expect(models).toMatch(/simulated\s+1\s+\d+%\s+\$0\.00/);
    expect(projects).toMatch(/Search\s+2\s+\d+%\s+\$0\.000041/);
    expect(await faultsOf(page, `usage-cache-${theme}`)).toEqual([]);
  });

  it('has no part about the cache for members', async () => {
    const page = await browser.open({ as: manager });
    await page.open('/usage');
    expect(await page.view.getByRole('heading', { name: 'Cache of equal answers' }).count()).toBe(0);
  });
});

describe('The cache of a project and of a key', () => {
  it('is set by a manager, who sees a mistake at its field', async () => {
    const page = await browser.open({ as: manager });
    const { view } = page;
    await page.open(`/projects/${project}`);
    await view.getByRole('button', { name: 'More' }).click();
    await view.getByRole('menuitem', { name: 'Cache' }).click();
    const dialog = view.getByRole('dialog', { name: 'Cache of Search' });
    const field = dialog.getByRole('textbox', { name: 'Keep answers for' });
    await field.fill('often');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/must be a duration from 1s to 365d/).waitFor();
    await field.fill('2h');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await view.getByText('The cache of Search is set to 2h').waitFor();
    await page.open(`/keys/${keyId}`);
    await view.getByRole('button', { name: 'More actions for search-bot' }).click();
    await view.getByRole('menuitem', { name: 'Cache' }).click();
    await view.getByRole('textbox', { name: 'Keep answers for' }).fill('none');
    await view.getByRole('button', { name: 'Save' }).click();
    await view.getByText('The cache of search-bot is set to none').waitFor();
    await eventually(async () => (await ask('paid')).result === null);
  });
});
