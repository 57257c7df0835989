import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.js';
import { PageWatch } from './page-watch.js';

/** The maximum number of requests to the console's API for showing a page. */
const MAX_API_REQUESTS = 7;
const SCREENSHOTS = resolve(import.meta.dirname, '../../../test-artefacts/screenshots');

const UNFINISHED = '[aria-busy="true"], .mantine-Skeleton-root[data-visible]';

/** Runs in the page. */
const SIDEWAYS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
  return [scrollWidth + ' > ' + clientWidth + ' px', ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 160))];
})()`;

/** Runs in the page. Narrow tables are cards; on a desktop of any size all columns must be visible. */
const CUT_TABLES = `[...document.querySelectorAll('table')]
  .filter((table) => table.parentElement.scrollWidth > table.parentElement.clientWidth)
  .map((table) => 'the table ' + table.getAttribute('aria-label') + ' scrolls sideways: ' + table.scrollWidth + ' px')`;

/** Runs in the page. A sort mark that is nearer to the next heading seems to belong to it. */
const STRAY_MARKS = `[...document.querySelectorAll('thead th svg')]
  .filter((mark) => mark.closest('thead').getBoundingClientRect().height > 1)
  .map((mark) => ({ cell: mark.closest('th'), box: mark.getBoundingClientRect() }))
  .filter(({ cell, box }) => box.right > cell.getBoundingClientRect().right + 4 || box.left < cell.getBoundingClientRect().left - 8)
  .map(({ cell }) => 'the sort mark of the column ' + cell.innerText + ' is beside another heading')`;

/** A page of the console in a browser. */
export class ConsolePage {
  readonly watch: PageWatch;

  constructor(
    /** Playwright's page, for everything else. */
    readonly view: Page,
    origin: string,
    others: readonly string[],
  ) {
    this.watch = new PageWatch(view, origin, others);
  }

  /** Opens a path, and waits until the page is complete. */
  async open(path: string): Promise<void> {
    this.watch.beginPage();
    await this.view.goto(path);
    await this.settled();
    const { apiRequests } = this.watch;
    if (apiRequests.length > MAX_API_REQUESTS) {
      throw new Error(`${path} makes ${apiRequests.length} API requests: ${apiRequests.join(', ')}`);
    }
  }

  /** Resolves when the page has its heading and data, and no request is running. */
  async settled(): Promise<void> {
    await this.view.locator('h1').first().waitFor();
    await this.watch.quiet();
    await eventually(async () => (await this.view.locator(UNFINISHED).count()) === 0, 60_000);
    await this.view.evaluate('document.fonts.ready');
  }

  /** The path in the address bar, with its query. */
  get path(): string {
    const { pathname, search } = new URL(this.view.url());
    return pathname + search;
  }

  heading(): Promise<string> {
    return this.view.locator('h1').first().innerText();
  }

  /**
   * Findings of axe, one per line. What is in a portal, such as a tooltip, belongs to an element of the page, so the rule
   * that all content is within a landmark cannot apply to it.
   */
  async accessibilityFaults(): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page: this.view }).options({ resultTypes: ['violations'] }).analyze();
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ target }) => id !== 'region' || !String(target).startsWith('div[data-portal'))
        .map(({ target, failureSummary }) => `${id} ${target} ${toLine(failureSummary)}`),
    );
  }

  /** Elements that overflow the window, their frame or their column on the right. */
  async sidewaysFaults(): Promise<string[]> {
    return this.view.evaluate<string[]>(`[...${SIDEWAYS}, ...${CUT_TABLES}, ...${STRAY_MARKS}]`);
  }

  /** A screenshot of the whole page. `name`: for example `keys-dark-1280`. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const size = this.view.viewportSize() ?? { width: 1280, height: 900 };
    const height = Number(await this.view.evaluate('document.documentElement.scrollHeight'));
    await this.view.setViewportSize({ ...size, height: Math.max(height, size.height) });
    await this.view.screenshot({ path: resolve(SCREENSHOTS, `${name}.png`) });
    await this.view.setViewportSize(size);
  }
}

function toLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim();
}
