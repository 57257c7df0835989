import { freePort } from '../support/free-port.js';
import { GatewayProcess } from '../support/gateway-process.js';
import { modelsYaml, upstreamsYaml } from './catalog.js';

const ADMIN = { id: '', role: 'admin', email: 'admin@example.com', password: 'correct horse battery' } as const;

/** Targets that fail on purpose are not set aside, and are retried. On a busy machine no call is shed. */
const SETTINGS = `
shutdown: { drainDelay: 300ms, deadline: 30s }
retry: { attempts: 3, budgetPercent: 100, floor: 1000 }
routing: { consecutiveFailures: 1000000, minimumCalls: 1000000 }
overload: { maxLoopDelay: 1m }
`;

/** Gateways that share one database and one upstream. */
export class Gateways {
  private readonly processes: GatewayProcess[] = [];
  /** The gateways that accept calls. */
  private readonly ready = new Set<GatewayProcess>();
  private readonly ports: number[] = [];

  constructor(
    private readonly databaseUrl: string,
    private readonly upstreamUrl: string,
  ) {}

  async start(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      this.ports.push(await freePort());
      await this.startOne(index);
    }
  }

  readonly admin = ADMIN;

  /** The addresses of the gateways that accept calls now. */
  get urls(): string[] {
    return this.processes.flatMap((gateway, index) =>
      this.ready.has(gateway) ? [`http://127.0.0.1:${this.ports[index]}`] : [],
    );
  }

  /** kill -9; resolves when it runs again at the same address. */
  async kill(index: number): Promise<void> {
    await this.again(index, 'SIGKILL');
  }

  /** Like an upgrade: no new calls, SIGTERM, and a restart after it has ended. */
  async restart(index: number): Promise<void> {
    await this.again(index, 'SIGTERM');
  }

  async verify(): Promise<{ ok: boolean; calls: number; faults: string[] }> {
    const { stdout = '', stderr } = (await this.processes[0]?.cli('ledger:verify', '--json')) ?? {};
    if (stdout === '') throw new Error(`the ledger cannot be verified: ${stderr}`);
    return JSON.parse(stdout);
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((gateway) => gateway.stop()));
  }

  private async again(index: number, signal: NodeJS.Signals): Promise<void> {
    const gateway = this.processes[index];
    if (!gateway) throw new Error(`there is no gateway ${index}`);
    this.ready.delete(gateway);
    await gateway.kill(signal);
    await this.startOne(index, gateway.folder);
  }

  private async startOne(index: number, folder?: GatewayProcess['folder']): Promise<void> {
    const gateway = await GatewayProcess.start({
      eager: true,
      ...(folder && { folder }),
      env: {
        PORT: String(this.ports[index]),
        WORKERS: '1',
        DATABASE_URL: this.databaseUrl,
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
      },
      config: {
        'models.yaml': modelsYaml(),
        'upstreams.yaml': upstreamsYaml(this.upstreamUrl),
        'gateway.yaml': SETTINGS,
      },
    });
    this.processes[index] = gateway;
    await gateway.ready();
    this.ready.add(gateway);
  }
}
