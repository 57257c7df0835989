import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './console-browser.js';
import type { ConsolePage } from './console-page.js';
import { createDemoData, type DemoData } from './demo-data.js';

const ENTRANCES: [name: string, path: string][] = [
  ['login', '/login'],
  ['setup', '/setup#none'],
  ['password', '/password#none'],
  ['sign-in-error', '/sign-in-error?reason=not_in_group&request=req_0123456789abcdef'],
];

/** A path, or one with ids of the demo data. */
type Path = string | ((demo: DemoData) => string);

const PAGES: [name: string, path: Path][] = [
  ['overview', '/'],
  ['keys', '/keys'],
  ['key', ({ keys }) => `/keys/${keys[2]}`],
  ['projects', '/projects?scope=all'],
  ['project', ({ project }) => `/projects/${project}`],
  ['project-keys', ({ project }) => `/projects/${project}?tab=keys`],
  ['project-members', ({ project }) => `/projects/${project}?tab=members`],
  ['project-accounts', ({ project }) => `/projects/${project}?tab=accounts`],
  ['usage', '/usage'],
  ['requests', '/requests?scope=all'],
  ['error-causes', '/requests?scope=all&group=errors'],
  ['models', '/models'],
  ['model', '/models/claude-sonnet-5.5'],
  ['playground', '/playground'],
  ['account', '/account'],
  ['roles', '/roles'],
  ['users', '/users'],
  ['user', ({ member }) => `/users/${member.id}`],
  ['plans', '/plans'],
  ['upstreams', '/upstreams'],
  ['budgets', '/budgets'],
  ['guards', '/guards'],
  ['alerts', '/alerts'],
  ['audit', '/audit'],
  ['settings', '/settings'],
  ['not-found', '/no-such-page'],
];

/** Every section of the documentation. */
export const DOCS = [
  'getting-started',
  'streaming',
  'tools',
  'images',
  'errors',
  'limits',
  'clients',
  'chat-completions',
  'responses',
  'messages',
  'embeddings',
  'models',
  'reference-chat-completions',
  'reference-responses',
  'reference-messages',
  'reference-embeddings',
  'reference-models-of-a-key',
  'reference-health',
  'reference-payments',
  'reference-usage',
  'reference-alerts',
  'reference-apply',
  'reference-audit-log',
  'reference-cache-of-equal-answers',
  'reference-content-log',
  'reference-limits',
  'reference-guards',
  'reference-plans',
  'reference-settings',
  'reference-models-and-upstreams',
  'reference-account',
  'reference-users',
  'reference-session',
  'reference-single-sign-on',
  'reference-models',
  'reference-overview',
  'reference-api-keys',
  'reference-access-tokens',
  'reference-projects',
  'reference-playground',
];

type Theme = 'light' | 'dark';

const PHONE = 360;
const WIDTHS = [1440, 1920, 1024, PHONE];
/** Pages of text, whose narrow form has the same colors: a small laptop has the least room beside the navigation. */
const WIDTHS_OF_DOCS: Record<Theme, readonly number[]> = { light: [1024, PHONE], dark: [1024] };

/** Shows a page wide and narrow, keeps screenshots, and returns its faults. */
async function faultsOf(
  browser: ConsoleBrowser,
  page: ConsolePage,
  { name, path, theme, widths = WIDTHS }: { name: string; path: string; theme: Theme; widths?: readonly number[] },
): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    // The first and the phone are loaded and given to axe; others come from resizing the window.
    const isLoaded = width === widths[0] || width === PHONE;
    await page.view.setViewportSize({ width, height: 900 });
    if (isLoaded) await page.open(path);
    else await page.settled();
    const found = [
      ...(isLoaded ? await page.accessibilityFaults() : []),
      ...(await page.sidewaysFaults()),
      ...page.watch.takeFaults(),
      ...browser.takeErrors(),
    ];
    faults.push(...found.map((fault) => `${width} px: ${fault}`));
    await page.screenshot(`${name}-${theme}-${width}`);
  }
  return faults;
}

/** Every page in one theme, without a session or as an administrator. */
export function describePages(theme: Theme): void {
  describe(`in the ${theme} theme, wide and narrow, is accessible, scrolls down only, and has no errors:`, () => {
    let browser: ConsoleBrowser;
    let demo: DemoData;
    let outside: ConsolePage;
    let inside: ConsolePage;

    beforeAll(async () => {
      browser = await ConsoleBrowser.start();
      demo = await createDemoData(browser.gateway);
      outside = await browser.open({ theme });
      inside = await browser.open({ theme, as: demo.admin });
    });

    it.each(ENTRANCES)('%s', async (name, path) => {
      expect(await faultsOf(browser, outside, { name, path, theme })).toEqual([]);
    });

    it.each(PAGES)('%s', async (name, path) => {
      const shown = typeof path === 'string' ? path : path(demo);
      expect(await faultsOf(browser, inside, { name, path: shown, theme })).toEqual([]);
    });

    it.each(DOCS)('docs, %s', async (section) => {
      const page = { name: `docs-${section}`, path: `/docs/${section}`, theme, widths: WIDTHS_OF_DOCS[theme] };
      expect(await faultsOf(browser, inside, page)).toEqual([]);
    });
  });
}
