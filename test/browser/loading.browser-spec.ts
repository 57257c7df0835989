import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ConsoleBrowser } from './support/console-browser.js';
import { createDemoData, type DemoData } from './support/demo-data.js';

/** What a first visit may fetch of scripts and styles, in bytes as they come over the wire. */
const MOST_BYTES: Record<string, number> = {
  '/login': 256_000,
  '/': 275_000,
  '/keys': 285_000,
  '/usage': 298_000,
  '/models': 283_000,
  '/playground': 310_000,
  '/upstreams': 276_000,
  '/users': 295_000,
  '/audit': 283_000,
  '/settings': 271_000,
};
const MOST_FILES = 38;

let browser: ConsoleBrowser;
let demo: DemoData;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
  demo = await createDemoData(browser.gateway);
});
afterEach(() => browser?.closePages());
afterAll(() => browser?.stop());

describe('a first visit, with nothing kept from before', () => {
  it.each(Object.entries(MOST_BYTES))(
    'of %s fetches no more than %i bytes of scripts and styles',
    async (path, most) => {
      const page = await browser.open(path === '/login' ? {} : { as: demo.admin });
      const sizes: Promise<number>[] = [];
      page.view.on('requestfinished', (request) => {
        if (/\.(js|css)$/.test(new URL(request.url()).pathname)) {
          sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
        }
      });
      await page.open(path);
      const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(total).toBeGreaterThan(100_000);
      expect(total).toBeLessThanOrEqual(most);
      expect(sizes.length).toBeLessThanOrEqual(MOST_FILES);
    },
  );
});
