import { Injectable } from '@nestjs/common';
import { UsersService } from '../accounts/users.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { CatalogService } from '../models/catalog.service.js';
import { LiveProtocolsService } from '../models/live-protocols.service.js';

const FIRST_EMAIL = 'first@localhost';

/** What the gateway says when it has started. */
@Injectable()
export class WelcomeService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly protocols: LiveProtocolsService,
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Where the gateway is, which upstreams are live and what is simulated: a line each. */
  status(listeningOn: string): string[] {
    const url = this.settings.appUrl ?? listeningOn;
    const live = [...this.settings.upstreams.values()].filter((upstream) => this.protocols.isLive(upstream));
    const simulated = this.catalog.all().filter((model) => model.simulated);
    return [
      `Console    ${url}/`,
      `Base URL   ${url}/v1`,
      `Upstreams  ${live.map(({ name }) => name).join(', ') || 'none is live: set for example OPENAI_API_KEY'}`,
      `Simulated  ${simulated.map(({ id }) => id).join(', ') || 'nothing'}`,
    ];
  }

  /**
   * How to get a first key, as long as there is no user: on a terminal one is made; a log is no place for a key, so
   * there it is the command that makes one. Null once there is a user.
   */
  async firstKey(listeningOn: string, isTerminal: boolean): Promise<string | null> {
    if (await this.users.exists()) return null;
    if (!isTerminal) {
      const cli = commandLine();
      const create = [
        `${cli} user:create --email you@example.com`,
        `${cli} key:create --email you@example.com --name first`,
      ];
      return `There is no user yet. Make one and a key: ${create.join(' && ')}`;
    }
    const { id } = await this.users.create({ email: FIRST_EMAIL });
    const { key } = await this.keys.create({ userId: id, name: 'first' });
    const model = this.catalog
      .all()
      .find(({ tier, simulated, targets }) => tier === 'free' && (simulated || targets[0]));
    return [
      `A first key, for the user ${FIRST_EMAIL}; it is not shown again:`,
      '',
      `  curl ${listeningOn}/v1/chat/completions \\`,
      `    -H "Authorization: Bearer ${key}" \\`,
      `    -H "Content-Type: application/json" \\`,
      `    -d '{"model":"${model?.id ?? 'gpt-5.4-nano'}","messages":[{"role":"user","content":"Hello!"}]}'`,
    ].join('\n');
  }
}

/** In the image the command is `gateway`; in a checkout it goes through npm. */
function commandLine(): string {
  return /[\\/]gateway(\.js)?$/.test(process.argv[1] ?? '') ? 'gateway' : 'npm run -s cli --';
}
