import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { ConsoleClient } from '../../support/console-client.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import { freePort } from '../../support/free-port.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { childrenOf } from '../../support/processes.js';
import type { ConfigFiles } from '../../support/test-settings.js';
import { type AnswerScript, BusyUpstream } from './busy-upstream.js';
import { NginxProxy } from './nginx-proxy.js';
import { PostgresServer } from './postgres-server.js';

/** One model with a price only for output: a thousandth of a dollar for a thousand tokens. */
const MODELS = `
- { id: exact, tier: free, displayName: Exact, description: For tests., contextLength: 100000, maxOutputTokens: 10000,
    price: { inputUsdPerMTok: 0, outputUsdPerMTok: 1 }, targets: [{ upstream: openai, model: m }] }`;

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

const SETTINGS: FleetSettings = {
  env: {},
  config: {
    'models.yaml': MODELS,
    'upstreams.yaml': 'openai: { protocol: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }',
    'gateway.yaml': 'shutdown: { drainDelay: 500ms, deadline: 20s }',
  },
};

export interface FleetSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly config: ConfigFiles;
}

export type FleetKind = 'three gateways' | 'one gateway with three workers';

export interface Called {
  /** 0: the connection ended without a complete answer. */
  status: number;
  body: string;
  headers: Record<string, string | string[] | undefined>;
}

export interface CallOptions extends Partial<AnswerScript> {
  key: string;
  maxTokens?: number;
  stream?: boolean;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** The address of one gateway, instead of the proxy's. */
  at?: string;
  model?: string;
  /** On a separate connection. */
  fresh?: boolean;
}

/** Gateways that share one PostgreSQL, behind nginx, and an upstream that counts. */
export class Fleet {
  readonly gateways: GatewayProcess[] = [];
  private readonly ports: number[] = [];
  private readonly agent = new Agent({ connections: 1024 });
  /** No connection is reused, because nginx closes its connections when it reloads its configuration. */
  private readonly freshAgent = new Agent({ connections: 1024, pipelining: 0 });

  private constructor(
    readonly kind: FleetKind,
    readonly postgres: PostgresServer,
    readonly upstream: BusyUpstream,
    private readonly pool: pg.Pool,
    private readonly settings: FleetSettings,
  ) {}

  static async start(kind: FleetKind, settings = SETTINGS): Promise<Fleet> {
    const postgres = await PostgresServer.start();
    const pool = new pg.Pool({ connectionString: postgres.url, max: 4 });
    pool.on('error', () => undefined);
    const fleet = new Fleet(kind, postgres, await BusyUpstream.start(), pool, settings);
    const gateways = kind === 'three gateways' ? 3 : 1;
    fleet.lastWay = await DatabaseProxy.create(postgres.url);
    await fleet.lastWay.open();
    for (let index = 0; index < gateways; index++) {
      fleet.ports.push(await freePort());
      fleet.gateways.push(await fleet.startGateway(index));
    }
    fleet.proxy = await NginxProxy.start(fleet.ports);
    return fleet;
  }

  private proxy: NginxProxy | undefined;
  private lastWay: DatabaseProxy | undefined;
  private lastStartAt = 0;

  get url(): string {
    if (!this.proxy) throw new Error('the proxy does not run yet');
    return this.proxy.url;
  }

  /** The way of the last of three gateways to the database. */
  get wayOfLast(): DatabaseProxy {
    if (!this.lastWay) throw new Error('the fleet does not run yet');
    return this.lastWay;
  }

  /** Resolves when all gateways have run for this time. */
  async ranFor(ms: number): Promise<void> {
    await sleep(Math.max(0, this.lastStartAt + ms - performance.now()));
  }

  /** The proxy's log of errors. */
  get proxyLog(): string {
    return this.proxy?.log ?? '';
  }

  query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.pool.query<Row>(sql, values).then(({ rows }) => rows);
  }

  /** A new user with a key that has these limits, in the format of the console's API. */
  async createKey(limits: object = {}): Promise<{ id: string; key: string }> {
    const email = `user-${crypto.randomUUID()}@example.com`;
    const key = await this.gateway(0).createKey(email);
    const sql = 'SELECT k.id FROM api_keys AS k JOIN users AS u ON u.id = k.user_id WHERE u.email = $1';
    const [row] = await this.query<{ id: string }>(sql, [email]);
    if (!row) throw new Error('no key was made');
    const { id } = row;
    await this.setLimits(id, limits);
    return { id, key };
  }

  async setLimits(keyId: string, limits: object, admin?: ConsoleClient): Promise<void> {
    const { status, body } = await (admin ?? (await this.admin())).patch(`/api/keys/${keyId}`, { limits });
    if (status !== 200) throw new Error(`the limits cannot be set: ${JSON.stringify(body)}`);
  }

  /** An administrator at the first gateway. */
  admin(): Promise<ConsoleClient> {
    return ConsoleClient.signIn(this.gateway(0), { id: '', role: 'admin', ...ADMIN });
  }

  cli(...args: string[]) {
    return this.gateway(0).cli(...args);
  }

  async call({
    key,
    tokens = 1000,
    ms = 0,
    maxTokens = tokens,
    stream,
    headers,
    signal,
    at,
    fresh,
    model = 'exact',
  }: CallOptions): Promise<Called> {
    const script: AnswerScript = { tokens, ms };
    const messages = [{ role: 'user', content: JSON.stringify(script) }];
    try {
      const response = await request(`${at ?? this.url}/v1/chat/completions`, {
        method: 'POST',
        dispatcher: fresh ? this.freshAgent : this.agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model, messages, max_tokens: maxTokens, ...(stream && { stream }) }),
        ...(signal && { signal }),
      });
      return { status: response.statusCode, body: await response.body.text(), headers: response.headers };
    } catch {
      return { status: 0, body: '', headers: {} };
    }
  }

  /** kill -9 of a gateway or a worker; resolves when it runs again at the same address. */
  async killOne(index: number): Promise<void> {
    const gateway = this.gateway(index % this.gateways.length);
    if (this.kind === 'three gateways') {
      await gateway.kill('SIGKILL');
      await this.startAgain(index % this.gateways.length);
      return;
    }
    const workers = childrenOf(gateway.child.pid, 'worker.js');
    const worker = workers[index % workers.length];
    if (worker !== undefined) process.kill(worker, 'SIGKILL');
  }

  /**
   * Removes it from the proxy, sends SIGTERM, restarts it at the same address after it has ended, and adds it again.
   */
  async roll(index: number): Promise<void> {
    const port = this.ports[index] ?? 0;
    await this.proxy?.mark(port, 'down');
    await this.restart(index);
    await this.proxy?.mark(port, 'up');
  }

  /** Sends SIGTERM and restarts it at the same address after it has ended, without notifying the proxy. */
  async restart(index: number): Promise<void> {
    const ended = await this.gateway(index).kill('SIGTERM');
    if (ended !== 0) throw new Error(`gateway ${index} ended with ${ended}`);
    await this.startAgain(index);
  }

  async ledgerFaults(): Promise<{ ok: boolean; calls: number; faults: unknown[] }> {
    const { stdout, stderr } = await this.cli('ledger:verify', '--json');
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  }

  async stop(): Promise<void> {
    await this.proxy?.stop();
    await Promise.all(this.gateways.map((gateway) => gateway.stop()));
    await Promise.all([this.agent.close(), this.freshAgent.close()]);
    await this.upstream.stop();
    await this.pool.end();
    await this.lastWay?.close();
    await this.postgres.stop();
  }

  gateway(index: number): GatewayProcess {
    const gateway = this.gateways[index];
    if (!gateway) throw new Error(`there is no gateway ${index}`);
    return gateway;
  }

  private async startAgain(index: number): Promise<void> {
    const { folder } = this.gateway(index);
    this.gateways[index] = await this.startGateway(index, folder);
  }

  private async startGateway(index: number, folder?: GatewayProcess['folder']): Promise<GatewayProcess> {
    const gateway = await GatewayProcess.start({
      ...(folder && { folder }),
      env: {
        PORT: String(this.ports[index]),
        WORKERS: this.kind === 'three gateways' ? '1' : '3',
        DATABASE_URL: index === 2 ? this.wayOfLast.url : this.postgres.url,
        OPENAI_BASE_URL: `${this.upstream.url}/v1`,
        OPENAI_API_KEY: 'sk-test',
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        ...this.settings.env,
      },
      config: this.settings.config,
    });
    this.lastStartAt = performance.now();
    return gateway;
  }
}
