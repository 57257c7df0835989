import { argon2Sync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import type { NewUser, UserRole } from '../../src/accounts/user.types.js';
import { UsersService } from '../../src/accounts/users.service.js';
import { AppModule } from '../../src/app.module.js';
import { setUpApp } from '../../src/app.setup.js';
import { GATEWAY } from '../../src/audit/audit.types.js';
import type { CreatedApiKey, NewApiKey } from '../../src/auth/api-key.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { PlansService } from '../../src/billing/plans.service.js';
import { CompletionsService } from '../../src/completions/completions.service.js';
import { loadSettings, SETTINGS } from '../../src/config/settings.js';
import { DatabaseServer } from '../../src/database/database.server.js';
import { DatabaseService } from '../../src/database/database.service.js';
import { GatewayAdapter } from '../../src/http/entrance/gateway.adapter.js';
import { ShutdownService } from '../../src/lifecycle/shutdown.service.js';
import { NestLogger } from '../../src/telemetry/logger.js';
import { PROVIDERS } from '../../src/upstreams/providers/providers.js';
import { afterFile } from './after-file.js';
import { deepFreeze } from './deep-freeze.js';
import { createMigratedDatabase, type TestDatabase } from './test-database.js';
import { type ConfigFiles, createWorkFolder } from './test-settings.js';

export interface TestGatewayOptions {
  /** Environment variables, for example `{ OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'sk-test' }`. */
  env?: Record<string, string>;
  /** Replaced files of config/. */
  config?: ConfigFiles;
  /** A database shared with other gateways; else a new one. */
  database?: TestDatabase;
  /** A port that must be known before; else a free one. */
  port?: number;
}

/** A person who can sign in. */
export interface TestPerson {
  id: string;
  email: string;
  role: UserRole;
  password: string;
}

const PASSWORD = 'correct horse battery';

export interface TestUser {
  id: string;
  email: string;
  key: CreatedApiKey;
  /** `{ authorization: 'Bearer svc_…' }` */
  headers: { authorization: string };
}

/** The whole gateway in this process, on a free port of 127.0.0.1, with a real database. */
export class TestGateway {
  private users = 0;

  private constructor(
    private running: NestExpressApplication | null,
    readonly database: TestDatabase,
    /** `http://127.0.0.1:port` */
    readonly url: string,
    /** Every log line, parsed. */
    readonly log: Record<string, unknown>[],
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start({
    env = {},
    config,
    database,
    port: required = 0,
  }: TestGatewayOptions = {}): Promise<TestGateway> {
    const folder = await createWorkFolder(config);
    const ownDatabase = database ?? (await createMigratedDatabase());
    const loaded = loadSettings({ ...folder.variables, DATABASE_URL: ownDatabase.url, ...env }, PROVIDERS, folder.path);
    // The test runs in the same process: its lag is not the gateway's.
    const isPatient = !config?.['gateway.yaml']?.includes('maxLoopDelay');
    const overload = isPatient ? { ...loaded.overload, maxLoopDelay: 60_000 } : loaded.overload;
    // Caches take their whole memory at the start: that of callers more than all the rest of a gateway.
    const auth = { ...loaded.auth, cacheSize: Math.min(loaded.auth.cacheSize, 1000) };
    const settings = { ...loaded, overload, auth };
    const log: Record<string, unknown>[] = [];
    const lines = { write: (line: string) => void log.push(JSON.parse(line)) };
    const logger = pino({ level: settings.logLevel }, lines);
    const testing = await Test.createTestingModule({ imports: [AppModule.gateway()] })
      .overrideProvider(SETTINGS)
      .useValue(settings)
      .compile();
    const app = testing.createNestApplication<NestExpressApplication>(new GatewayAdapter(), { bodyParser: false });
    app.useLogger(new NestLogger(logger));
    setUpApp(app, settings, { logger, lines });
    freezeRequests(app.get(CompletionsService));
    await app.listen(required, '127.0.0.1');
    await app.get(DatabaseService).start();
    const { port } = app.getHttpServer().address() as AddressInfo;
    return new TestGateway(app, ownDatabase, `http://127.0.0.1:${port}`, log, folder.remove);
  }

  get services(): INestApplicationContext {
    return this.app;
  }

  private get app(): NestExpressApplication {
    if (this.running === null) throw new Error('This gateway was stopped.');
    return this.running;
  }

  get server() {
    return this.app.getHttpServer();
  }

  /** Creates a person with a password for the console. */
  async createPerson({ role = 'member', password = PASSWORD, ...rest }: Partial<NewUser> = {}): Promise<TestPerson> {
    const email = rest.email ?? `person-${++this.users}@example.com`;
    const user = await this.app.get(UsersService).create({ ...rest, email, role }, GATEWAY);
    await this.database.query('UPDATE users SET password_hash = $1 WHERE id = $2', [cheapHash(password), user.id]);
    return { id: user.id, email: user.email, role, password };
  }

  /** Creates a user with a key. */
  async createUser({ plan, ...key }: { plan?: string } & Partial<NewApiKey> = {}): Promise<TestUser> {
    const email = `user-${++this.users}@example.com`;
    const { id } = await this.app.get(UsersService).create({ email }, GATEWAY);
    if (plan) await this.app.get(PlansService).grant(id, plan, null, 'test', GATEWAY);
    const created = await this.app.get(ApiKeysService).create({ name: 'test', ...key, userId: id }, GATEWAY);
    return { id, email, key: created, headers: { authorization: `Bearer ${created.key}` } };
  }

  /** `POST /v1/chat/completions` with a JSON body. */
  complete(user: TestUser, body: object, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/v1/chat/completions`, {
      method: 'POST',
      ...init,
      headers: { ...user.headers, 'content-type': 'application/json', ...init.headers },
      body: JSON.stringify(body),
    });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers });
  }

  /** The rows of the ledger, oldest first. */
  calls(): Promise<Record<string, unknown>[]> {
    return this.database.query('SELECT * FROM usage_calls ORDER BY started_at, id');
  }

  /** After the tests of the file at the latest. The loaded test file keeps this object, but not the gateway. */
  readonly stop = afterFile(async () => {
    const { app } = this;
    await app.get(ShutdownService).drain({ isAlone: true });
    await app.close();
    await app.get(DatabaseServer).stop();
    await this.removeFolder();
    this.running = null;
  });
}

/** Checked with its own parameters: a sign-in with one of the gateway's hashes takes a tenth of a second of a core. */
function cheapHash(password: string): string {
  const parameters = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const nonce = Buffer.alloc(16, 'salt');
  const [salt, hash] = [nonce, argon2Sync('argon2id', { ...parameters, message: password, nonce })].map((bytes) =>
    bytes.toString('base64').replace(/=+$/, ''),
  );
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`;
}

/** Validated requests are never changed: code that tries fails here, although the gateway would not freeze them. */
function freezeRequests(completions: CompletionsService): void {
  const prepare = completions.prepare.bind(completions);
  completions.prepare = (caller, api, client, context) => {
    deepFreeze(client.request);
    deepFreeze(client.charged);
    return prepare(caller, api, client, context);
  };
}
