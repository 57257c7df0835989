import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleMessage, Page, Request } from 'playwright-core';

/** Chromium's message for a 4xx, which many tests cause and check themselves. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;
const QUIET_MS = 60;

/** Watches a page from its first request, especially for forbidden events. */
export class PageWatch {
  /** The requests to the console's API since the last `beginPage`. */
  apiRequests: string[] = [];
  private readonly found: string[] = [];
  private readonly running = new Set<Request>();

  /** `origin`: the gateway's, whose pages are watched; `others`: those of pages that it links to. */
  constructor(
    private readonly page: Page,
    private readonly origin: string,
    private readonly others: readonly string[],
  ) {
    page.on('pageerror', (error) => this.note(`threw ${error.stack ?? error.message}`));
    page.on('crash', () => this.found.push('crashed'));
    page.on('console', (message) => this.onConsole(message));
    page.on('request', (request) => this.onRequest(request));
    page.on('requestfinished', (request) => this.running.delete(request));
    page.on('requestfailed', (request) => this.running.delete(request));
  }

  /** Forbidden events: errors, violations of the content security policy, requests to other hosts. */
  takeFaults(): string[] {
    return this.found.splice(0);
  }

  beginPage(): void {
    this.apiRequests = [];
  }

  /** Resolves when no request has been running for a moment. */
  async quiet(limitMs = 60_000): Promise<void> {
    const limit = performance.now() + limitMs;
    for (let quietSince = performance.now(); performance.now() - quietSince < QUIET_MS; await sleep(15)) {
      if (this.running.size > 0) quietSince = performance.now();
      if (performance.now() > limit) throw new Error(`still asking: ${[...this.running].map((one) => one.url())}`);
    }
  }

  private onConsole(message: ConsoleMessage): void {
    const text = message.text();
    const isFault = message.type() === 'error' || /content security policy/i.test(text);
    if (isFault && !REFUSED.test(text)) this.note(`console: ${text} (${message.location().url})`);
  }

  /** Events on other sites' pages are ignored. */
  private note(fault: string): void {
    if (!this.others.includes(new URL(this.page.url()).origin)) this.found.push(fault);
  }

  private onRequest(request: Request): void {
    const { origin, pathname, protocol } = new URL(request.url());
    if (protocol === 'data:' || protocol === 'blob:') return;
    this.running.add(request);
    const isExpected = origin === this.origin || (request.isNavigationRequest() && this.others.includes(origin));
    if (!isExpected) this.note(`asked a stranger: ${request.url()}`);
    if (pathname.startsWith('/api/')) this.apiRequests.push(`${request.method()} ${pathname}`);
  }
}
