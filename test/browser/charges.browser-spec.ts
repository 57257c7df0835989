import { afterEach, describe, expect, it } from '@jest/globals';
import type { ClosedCall } from '../../src/ledger/call-record.types.js';
import { UsageLedgerService } from '../../src/ledger/usage-ledger.service.js';
import { CatalogService } from '../../src/models/catalog.service.js';
import { closedCall, openCall } from '../support/test-calls.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const row = (id: string, displayName: string, rest: string) =>
  `- { id: ${id}, tier: free, displayName: ${displayName}, description: A model of the house., contextLength: 128000,
    capabilities: [tools], targets: [{ upstream: openai, model: m }], ${rest} }`;
const PRICE = 'inputUsdPerMTok: 4, cachedInputUsdPerMTok: 0.4, outputUsdPerMTok: 20';
const MODELS = [
  row(
    'all-options',
    'All options',
    `providerFiles: true, price: { ${PRICE}, cacheWrite5mUsdPerMTok: 6, serviceTiers: { priority: 2, flex: 0.5 },
      hostedTools: { web_search: 0.01 } }`,
  ),
  row(
    'stepped',
    'Stepped',
    `deprecated: 2029-04-01, replacedBy: plain, price: { ${PRICE}, cacheWriteUsdPerMTok: { 30m: 5, 12h: 12 },
      above: [{ inputTokens: 272000, inputUsdPerMTok: 8, outputUsdPerMTok: 30 }] }`,
  ),
  row('plain', 'Plain', `price: { ${PRICE} }`),
  row('for-free', 'For free', 'price: free'),
  row('unpriced', 'Unpriced', ''),
].join('\n');

const env = { SIMULATOR: 'off', OPENAI_API_KEY: 'sk-one' };
const browser = await ConsoleBrowser.start({ env, config: { 'models.yaml': MODELS } });
const admin = await browser.gateway.createPerson({ role: 'admin' });
const user = await browser.gateway.createUser();
afterEach(() => browser.closePages());

/** Adds a call to the ledger; resolves to its id. */
async function stored(model: string, closed: Partial<ClosedCall>): Promise<string> {
  const priceVersion = browser.gateway.services.get(CatalogService).find(model)?.price.version ?? '';
  const call = openCall({ keyId: user.key.id, userId: user.id, model, priceVersion });
  await browser.gateway.services.get(UsageLedgerService).close(closedCall(call, closed));
  return call.id;
}

/** The faults of the current page, wide and narrow; keeps screenshots. */
async function faultsOf(page: ConsolePage, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.view.setViewportSize({ width, height: 900 });
    faults.push(...(await page.accessibilityFaults()), ...(await page.sidewaysFaults()));
    await page.screenshot(`${name}-${width}`);
  }
  await page.view.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

describe('the details of a request', () => {
  it.each(['light', 'dark'] as const)('explain its cost in a sentence for each cause (%s)', async (theme) => {
    const id = await stored('all-options', {
      tokens: { input: 2230, cached: 1000, cacheWrites: { '5m': 1200 }, output: 300, reasoning: 0 },
      costNanodollars: 54_140_000n,
      charge: {
        cacheWrite5m: 1200,
        serviceTier: 'priority',
        factor: 2,
        hostedTools: { web_search: 2 },
        overReserved: 1_200_000,
      },
    });
    const page = await browser.open({ as: admin, theme });
    await page.open(`/requests?scope=all&call=${id}`);
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    const reasons = drawer.getByRole('list', { name: 'Cost breakdown' });
    expect(await reasons.getByRole('listitem').allInnerTexts()).toEqual([
      "1,200 tokens were written to the provider's cache for 5 minutes at 1.5 × the input price.",
      'Service tier priority: 2 × the list price.',
      '2 web searches by the provider.',
      '$0.0012 more than reserved. The budget may be exceeded.',
      'The list price of these tokens is $0.01132.',
    ]);
    await drawer.getByText('Reported by the provider').waitFor();
    expect(await faultsOf(page, `charge-${theme}`)).toEqual([]);
  });

  it('leave out tokens, cost and their explanations when a call failed before an answer', async () => {
    const id = await stored('plain', {
      status: 'failed',
      errorCode: 'upstream_timeout',
      tokens: { input: 0, cached: 0, output: 0, reasoning: 0 },
      costNanodollars: 0n,
      tokenSource: 'estimated',
      charge: { outputCeiling: 256 },
    });
    const page = await browser.open({ as: admin });
    await page.open(`/requests?scope=all&call=${id}`);
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('upstream_timeout').first().waitFor();
    const facts = await drawer.innerText();
    expect(facts).toMatch(/Input tokens\s+–\s+Output tokens\s+–\s+Cost\s+–/);
    expect(facts).not.toMatch(/Token counts|Estimated by the gateway|At most 256/);
    const rows = page.view.getByRole('table', { name: 'Requests' }).locator('tbody tr');
    const row = rows.filter({ hasText: 'upstream_timeout' });
    expect(await row.innerText()).not.toMatch(/0 \/ 0|\$0/);
    await page.screenshot('failed-call-light-1280');
  });

  it('explain how the tokens of an aborted call were estimated', async () => {
    const id = await stored('plain', { status: 'aborted', tokenSource: 'estimated', charge: { basis: 'time' } });
    const page = await browser.open({ as: admin });
    await page.open(`/requests?scope=all&call=${id}`);
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('Estimated by the gateway').waitFor();
    await drawer.getByText('The caller left early. Output tokens were estimated from the elapsed time').waitFor();
    expect(await faultsOf(page, 'charge-left-light')).toEqual([]);
  });

  it('show the output ceiling that a budget has set', async () => {
    const id = await stored('plain', { finishReason: 'length', charge: { outputCeiling: 300 } });
    const page = await browser.open({ as: admin });
    await page.open(`/requests?scope=all&call=${id}`);
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('At most 300: a longer answer would not have fit').waitFor();
  });

  it('show the upstream’s message for a failed request, and link to its key, user and model', async () => {
    const attempt = { upstream: 'openai', upstreamModel: 'm', startMs: 1, ms: 120 };
    const id = await stored('plain', {
      status: 'failed',
      errorCode: 'upstream_overloaded',
      attempts: [{ ...attempt, outcome: 'upstream_overloaded', status: 529, message: 'We are overloaded.' }],
      stream: false,
    });
    const page = await browser.open({ as: admin });
    await page.open(`/requests?scope=all&call=${id}`);
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    const alert = drawer.getByRole('alert');
    expect(await alert.innerText()).toMatch(
      /Provider overloaded \(openai 529 upstream_overloaded\)\s+We are overloaded\./,
    );
    expect(await drawer.getByText('First token').count()).toBe(0);
    expect(await faultsOf(page, 'failed-request-light')).toEqual([]);
    for (const [name, path] of [
      ['plain', '/models/plain'],
      ['test', '/keys/'],
      [user.email, '/users/'],
    ] as const) {
      await page.open(`/requests?scope=all&call=${id}`);
      await drawer.getByRole('link', { name, exact: true }).click();
      await page.settled();
      expect(page.path).toContain(path);
    }
  });

  it('explain nothing for the list price', async () => {
    const id = await stored('plain', {});
    const page = await browser.open({ as: admin });
    await page.open(`/requests?scope=all&call=${id}`);
    const drawer = page.view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('Reported by the provider').waitFor();
    expect(await drawer.getByRole('list', { name: 'Cost breakdown' }).count()).toBe(0);
  });
});

describe('a model', () => {
  it.each(['light', 'dark'] as const)(
    'shows the prices of its options, or that it has no price (%s)',
    async (theme) => {
      const page = await browser.open({ as: admin, theme });
      const { view } = page;
      await page.open('/models');
      const card = (name: string) => view.getByRole('article').filter({ has: view.getByRole('heading', { name }) });
      await card('All options').getByText('Cache write (5 min) $6.00, Priority × 2, Flex × 0.5').waitFor();
      await card('All options').getByText('Provider files').waitFor();
      await card('Unpriced').getByText('No price: its calls count as $0').waitFor();
      expect(await view.getByText('No price').count()).toBe(1);
      expect(await faultsOf(page, `models-options-${theme}`)).toEqual([]);
      await view.getByRole('radio', { name: 'Cards' }).press('ArrowRight');
      await view
        .getByRole('row', { name: /Unpriced/ })
        .getByText('No price: its calls count as $0')
        .waitFor();
      expect(await faultsOf(page, `models-options-table-${theme}`)).toEqual([]);
      await page.open('/models/all-options');
      await view.getByText('Web search $0.01 per call').waitFor();
      expect(await faultsOf(page, `model-options-${theme}`)).toEqual([]);
      await page.open('/models/stepped');
      await view.getByText('Over 272,000 input tokens: $8.00 input, $8.00 cached, $30.00 output').waitFor();
      await view.getByText(/Cache write \(30 min\) \$5\.00, Cache write \(12 h\w*\) \$12\.00/).waitFor();
      await view.getByText('2029. Use plain instead.').waitFor();
      expect(await faultsOf(page, `model-stepped-${theme}`)).toEqual([]);
      await page.open('/models/unpriced');
      await view.getByText('No price: its calls count as $0').waitFor();
      expect(await faultsOf(page, `model-unpriced-${theme}`)).toEqual([]);
      await page.open('/upstreams');
      await view.getByRole('tab', { name: 'Models (5)' }).click();
      await view.getByText('No price: its calls count as $0').waitFor();
      expect(await view.getByText('No price').count()).toBe(1);
      expect(await faultsOf(page, `upstreams-unpriced-${theme}`)).toEqual([]);
    },
  );
});

describe('calls of models without a price', () => {
  it.each(['light', 'dark'] as const)('are shown below the cost that does not include them (%s)', async (theme) => {
    const page = await browser.open({ as: admin, theme });
    const { view } = page;
    const note = (calls: string) => view.getByText(`${calls} not part of this cost`);
    if (theme === 'light') {
      await page.open('/?scope=all');
      expect(await view.getByText('without a price').count()).toBe(0);
      await stored('unpriced', { costNanodollars: 0n });
      await page.open('/usage?scope=all');
      await note('1 call of a model without a price is').waitFor();
      await stored('unpriced', { costNanodollars: 0n });
    }
    await page.open('/?scope=all');
    expect(await note('2 calls of models without a price are').count()).toBe(1);
    expect(await faultsOf(page, `overview-unpriced-${theme}`)).toEqual([]);
    await page.open('/usage?scope=all');
    await note('2 calls of models without a price are').waitFor();
    expect(await faultsOf(page, `usage-unpriced-${theme}`)).toEqual([]);
    await page.open('/usage?scope=all&models=plain');
    expect(await view.getByText('without a price').count()).toBe(0);
  });
});
