import { afterEach, describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../../src/console/docs/error-codes.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData, type DemoData } from './support/demo-data.js';
import { DOCS } from './support/pages.js';

/** Words of the machine. Ids, addresses and code may look like them. */
const MACHINE_WORDS = [
  /\b[a-z]+(?:_[a-z]+)+\b/,
  /\b[a-z]+[A-Z][A-Za-z]+\b/,
  /\bchat\.completions\b/,
  /\b(?:keys|usage|users|projects|requests|limits|plans)\.(?:read|write|own|all)\b/,
  /\bupstreams?\b/i,
  /\btargets?\b/i,
  /\bset aside\b/i,
  /\bledger\b/i,
  /\bdisplay form\b/i,
];

/** Addresses, display forms of keys, and names that are written like that. */
const IDENTIFIERS = /\S+@\S+|https?:\S+|\b(?:svc|req)_\S+|\bxAI\b|\bgRPC\b/g;

/** Runs in the page: its text as people see it, without code and what looks like an id. */
const VISIBLE_TEXT = `(() => {
  const CODE = 'pre, code, kbd, textarea, script, style';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement } = node;
    if (parentElement.closest(CODE) === null && parentElement.checkVisibility()) texts.push(node.data);
  }
  const fields = [...document.querySelectorAll('input')].flatMap(({ value, placeholder }) => [value, placeholder]);
  const names = [...document.querySelectorAll('[aria-label], [title]')]
    .filter((one) => one.closest(CODE) === null)
    .flatMap((one) => [one.getAttribute('aria-label'), one.getAttribute('title')]);
  return [...texts, ...fields, ...names].filter(Boolean);
})()`;

async function machineWords({ view }: ConsolePage): Promise<string[]> {
  const texts = await view.evaluate<string[]>(VISIBLE_TEXT);
  const found = texts.flatMap((text) =>
    MACHINE_WORDS.flatMap((word) => {
      const [match] = word.exec(text.replaceAll(IDENTIFIERS, '')) ?? [];
      return match === undefined ? [] : [`${match}: ${text.slice(0, 120)}`];
    }),
  );
  return [...new Set(found)];
}

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
const { database } = browser.gateway;
const [key] = await database.query<{ id: string }>('SELECT id FROM api_keys WHERE user_id = $1 AND kind = $2', [
  demo.member.id,
  'user',
]);
// Every error that a caller can get, refused by the gateway or failed at a provider.
for (const [i, { status, code }] of ERROR_CODES.entries()) {
  await database.query(
    `INSERT INTO recent_errors (at, request_id, key_id, user_id, model, status, code)
     VALUES (now() - interval '1 minute', $1, $2, $3, 'gpt-6-luna', $4, $5)`,
    [`req_refused${i}`, key?.id, demo.member.id, status, code],
  );
  const attempt = { upstream: 'openai', upstreamModel: 'm', startMs: 1, ms: 20, outcome: code, status };
  await database.query(
    `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
       upstream, error_code, attempts, price_version)
     VALUES ($1, now(), 1, $2, $3, $4, 'free', 'gpt-6-luna', true, 'failed', 'openai', $5, $6, 'v')`,
    [`chatcmpl-failed${i}`, `req_failed${i}`, key?.id, demo.member.id, code, JSON.stringify([attempt])],
  );
}
afterEach(() => browser.closePages());

/** The pages of members; the reference of the API has its own words. */
const PAGES: (string | ((demo: DemoData) => string))[] = [
  '/',
  '/?scope=projects',
  '/keys',
  '/keys?create=1',
  ({ keys }) => `/keys/${keys[2]}`,
  '/projects',
  ({ project }) => `/projects/${project}`,
  ({ project }) => `/projects/${project}?tab=keys`,
  ({ project }) => `/projects/${project}?tab=members`,
  ({ project }) => `/projects/${project}?tab=accounts`,
  '/usage',
  '/usage?by=api',
  '/usage?by=status',
  '/requests?range=30d',
  '/requests?range=30d&group=errors',
  '/requests?range=30d&codes=upstream_timeout&apis=chat.completions',
  '/requests?range=30d&call=chatcmpl-failed0',
  '/requests?range=30d&call=req_refused0',
  '/budgets',
  '/models',
  '/models?layout=table',
  '/models/claude-sonnet-5.5',
  '/playground',
  '/account',
  '/roles',
  '/no-such-page',
  ...DOCS.filter((section) => !section.startsWith('reference-')).map((section) => `/docs/${section}`),
];

describe('a member', () => {
  it.each(PAGES.map((path, index) => [typeof path === 'string' ? path : `${index}`, path] as const))(
    'reads no words of the machine on %s',
    async (_, path) => {
      const page = await browser.open({ as: demo.member });
      await page.open(typeof path === 'string' ? path : path(demo));
      expect(await machineWords(page)).toEqual([]);
    },
  );

  it('reads a different description of every error, in the list and in the details', async () => {
    const page = await browser.open({ as: demo.member });
    await page.open('/requests?range=today&statuses=refused');
    const outcomes = await page.view.locator('main tbody tr').locator('td:nth-child(2)').allInnerTexts();
    expect(outcomes).toHaveLength(ERROR_CODES.length);
    expect(new Set(outcomes).size).toBe(ERROR_CODES.length);
  });
});

it('an administrator sees the code of an error beside its words', async () => {
  const page = await browser.open({ as: demo.admin });
  await page.open('/requests?scope=all&range=30d&call=chatcmpl-failed0');
  await page.view.getByRole('dialog').getByText('Invalid JSON', { exact: true }).first().waitFor();
  await page.view.getByRole('dialog').getByText('invalid_json', { exact: true }).first().waitFor();
});
