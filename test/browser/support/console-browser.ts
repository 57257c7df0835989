import type { Browser, BrowserContext } from 'playwright-core';
import { afterFile } from '../../support/after-file.js';
import { TestGateway, type TestGatewayOptions, type TestPerson } from '../../support/test-gateway.js';
import { launchChromium } from './chromium.js';
import { ConsolePage } from './console-page.js';

export interface PageOptions {
  /** Signed in from the start. */
  as?: TestPerson;
  theme?: 'light' | 'dark';
  width?: number;
  /** Of the browser: how it writes numbers and dates. */
  locale?: string;
  /** Origins that the browser may visit besides the gateway's. */
  origins?: readonly string[];
}

const HEIGHT = 900;
/** Pino's numeric level. */
const ERROR_LEVEL = 50;

/** A gateway with its console in this process, and a browser. */
export class ConsoleBrowser {
  private readonly pages: ConsolePage[] = [];
  private logSeen = 0;

  private constructor(
    readonly gateway: TestGateway,
    private readonly browser: Browser,
  ) {
    afterFile(() => browser.close());
  }

  static async start(options: TestGatewayOptions = {}): Promise<ConsoleBrowser> {
    const env = { SIMULATOR: 'on', ...options.env };
    const [gateway, browser] = await Promise.all([TestGateway.start({ ...options, env }), launchChromium()]);
    return new ConsoleBrowser(gateway, browser);
  }

  /** A page in its own browser context, without cookies or storage except those in the options. */
  async open({
    as,
    theme = 'light',
    width = 1280,
    origins = [],
    locale = 'en-GB',
  }: PageOptions = {}): Promise<ConsolePage> {
    const context = await this.browser.newContext({
      baseURL: this.gateway.url,
      viewport: { width, height: HEIGHT },
      colorScheme: theme,
      locale,
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    if (as) await this.signIn(context, as);
    const page = new ConsolePage(await context.newPage(), this.gateway.url, origins);
    this.pages.push(page);
    return page;
  }

  /** Gives the context a session; signing in on the page has its own tests. */
  private async signIn(context: BrowserContext, { email, password }: TestPerson): Promise<void> {
    const reply = await context.request.post('/api/session', { data: { email, password } });
    if (!reply.ok()) throw new Error(`${email} cannot sign in: ${await reply.text()}`);
  }

  /** Errors in the gateway's log since the last call. */
  takeErrors(): string[] {
    const { log } = this.gateway;
    const errors = log.slice(this.logSeen).filter(({ level }) => Number(level) >= ERROR_LEVEL);
    this.logSeen = log.length;
    return errors.map((line) => `the gateway: ${JSON.stringify(line).slice(0, 1500)}`);
  }

  /** Closes the open pages; throws if one of them did something forbidden. */
  async closePages(): Promise<void> {
    const faults = this.takeErrors();
    for (const page of this.pages.splice(0)) {
      faults.push(...page.watch.takeFaults());
      await page.view.context().close();
    }
    if (faults.length > 0) throw new Error(`A page did what none may do:\n${faults.join('\n')}`);
  }
}
