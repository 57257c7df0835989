import { Injectable } from '@nestjs/common';
import { SetupService } from '../accounts/setup.service.js';
import { UsersService } from '../accounts/users.service.js';
import { GATEWAY } from '../audit/audit.types.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { SetupLinkFile } from '../common/setup-link.file.js';
import { GATEWAY_VERSION } from '../config/environment.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { settingsWarnings, unpricedWarning } from '../config/warnings.js';
import { CatalogService } from '../models/catalog.service.js';
import { UpstreamStatusService } from '../upstreams/upstream-status.service.js';

const ANOTHER = 'the command setup:link prints another one';
const FIRST_EMAIL = 'first@localhost';

@Injectable()
export class WelcomeService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly upstreams: UpstreamStatusService,
    private readonly users: UsersService,
    private readonly setup: SetupService,
    private readonly keys: ApiKeysService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  status(listeningOn: string): string[] {
    const url = this.settings.appUrl ?? listeningOn;
    const live = this.upstreams.list().filter(({ isLive }) => isLive);
    const simulated = this.catalog.all().filter((model) => model.simulated);
    return [
      `Version    ${GATEWAY_VERSION}`,
      `Console    ${url}/`,
      `Base URL   ${url}/v1`,
      `Upstreams  ${live.map(({ upstream }) => upstream.name).join(', ') || 'none is live: set OPENAI_API_KEY, for example'}`,
      `Simulated  ${simulated.map(({ id }) => id).join(', ') || 'nothing'}`,
    ];
  }

  /** Things to check that are not errors. */
  warning(): string | null {
    const unpriced = unpricedWarning(this.settings, (upstream) => this.upstreams.isLive(upstream));
    return [...settingsWarnings(this.settings, Date.now()), ...(unpriced ? [unpriced] : [])].join('\n') || null;
  }

  /** For a terminal: the link to create the first administrator; null when set-up is complete. */
  async setupLink(listeningOn: string): Promise<string | null> {
    const token = await this.setup.issueToken();
    return token && `Set up     ${this.linkOf(token, listeningOn)}`;
  }

  /** For a log, which must not contain the link: names the file with the link. */
  async setupFile(listeningOn: string): Promise<string | null> {
    const file = new SetupLinkFile(this.settings.dataDir);
    if (!(await this.setup.isNeeded())) {
      await file.remove();
      return null;
    }
    const token = await this.setup.renewToken(await file.token());
    if (token === null) return `Set up     with the link that was printed before; ${ANOTHER}`;
    const fault = await file.write(this.linkOf(token, listeningOn));
    if (fault !== null) return `Set up     the link cannot be written to ${file.path} (${fault}); ${ANOTHER}`;
    return `Set up     with the link in ${file.path}, within an hour`;
  }

  /** For a terminal: creates a first key as long as there is no user. A log must not contain a key. */
  async firstKey(listeningOn: string): Promise<string | null> {
    if (await this.users.exists()) return null;
    const { id } = await this.users.create({ email: FIRST_EMAIL }, GATEWAY);
    const { key } = await this.keys.create({ userId: id, name: 'first' }, GATEWAY);
    const model = this.catalog
      .all()
      .find(({ tier, simulated, targets }) => tier === 'free' && (simulated || targets[0]));
    return [
      `A first key, for the user ${FIRST_EMAIL}; it is not shown again:`,
      '',
      `  curl ${listeningOn}/v1/chat/completions \\`,
      `    -H "Authorization: Bearer ${key}" \\`,
      `    -H "Content-Type: application/json" \\`,
      `    -d '{"model":"${model?.id ?? 'gpt-6-luna'}","messages":[{"role":"user","content":"Hello!"}]}'`,
    ].join('\n');
  }

  private linkOf(token: string, listeningOn: string): string {
    return `${this.settings.appUrl ?? listeningOn}/setup#${token}`;
  }
}
