import { join } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { TypeOrmModuleOptions } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { DatabaseUrls } from '../config/database-urls.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { logFailure } from '../telemetry/failure-log.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { startGatewayPostgres } from './embedded/gateway-postgres.js';
import { MIGRATION_LOCK_TIMEOUT_MS, MIGRATION_SESSION } from './migration-runner.js';
import { SilentConnections } from './silent-connections.js';

/** `worker`: another process of a gateway, which uses the database of the first process. */
export type DatabaseRole = 'gateway' | 'worker' | 'tool';
export const DATABASE_ROLE = Symbol('DATABASE_ROLE');
/** The embedded server of another process, if any. */
export const DATABASE_ADDRESS = Symbol('DATABASE_ADDRESS');

const RESTART_PAUSE_MS = 1000;
const STATEMENT_LIMIT_MS = 30_000;
const SETTING_LIMIT_MS = 5000;
/** Connections of all processes of a gateway together, including those outside the pools. */
const CONNECTIONS = 120;
const BESIDE_POOL = 5;
const MAX_POOL = 10;
const MIN_POOL = 2;
/** Reports that all processes of a gateway read at the same time, at least one each. */
const REPORTS = 4;

/** `Client` makes the connections of a pool: each with the address as it is then. */
export type PgConnection =
  | { connectionString: string; Client: typeof pg.Client }
  | { host: string; port: number; user: string; password: string; database: string };

/**
 * Pool options that apply these settings to each connection. They are set by a query, as PgBouncer rejects them as
 * startup parameters.
 */
export function withSettings(settings: Readonly<Record<string, string | number>>): Pick<pg.PoolConfig, 'onConnect'> {
  const text = Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ');
  // Returns a promise despite its type: the pool awaits it.
  return { onConnect: (client) => client.query({ text, query_timeout: SETTING_LIMIT_MS } as pg.QueryConfig) };
}

/** Locates Postgres: at DATABASE_URL, or embedded in the data folder, where it is started on first use. */
@Injectable()
export class DatabaseServer {
  /** Watch the connections of pools, and of the session and the ledger. */
  readonly pooled = new SilentConnections(() => this.connection());
  readonly direct = new SilentConnections(() => this.sessionConnection());
  private readonly logger = new Logger('Database');
  private embedded: Promise<EmbeddedPostgres> | undefined;
  private stopping = false;
  private urls: DatabaseUrls;

  constructor(
    @InjectSettings() private readonly settings: Settings,
    @Inject(DATABASE_ROLE) readonly role: DatabaseRole,
    @Inject(DATABASE_ADDRESS) private readonly address: PgConnection | null,
  ) {
    this.urls = settings;
  }

  /** Only a database by URL can start later than the gateway. */
  get canStartLater(): boolean {
    return this.settings.databaseUrl !== null && this.role !== 'tool';
  }

  async dataSourceOptions(): Promise<TypeOrmModuleOptions> {
    const at = await this.connection();
    return {
      ...toDataSource(at),
      manualInitialization: true,
      autoLoadEntities: true,
      applicationName: 'chat-completion-gateway',
      poolSize: this.poolSize,
      extra: { ...this.pooled.optionsFor(at), ...this.statementLimit },
      poolErrorHandler: (error: Error) => logFailure(this.logger, 'A connection was lost', error),
    };
  }

  /** A pool for reading from the replica; null if there is no replica, and for tools, which show no reports. */
  replicaOptions(): DataSourceOptions | null {
    if (this.settings.databaseReadUrl === null || this.role === 'tool') return null;
    const at = this.at('databaseReadUrl');
    const connections = new SilentConnections(async () => this.at('databaseReadUrl'));
    return {
      ...toDataSource(at),
      applicationName: 'gateway reports',
      poolSize: this.poolSize,
      extra: { ...connections.optionsFor(at), query_timeout: STATEMENT_LIMIT_MS },
      poolErrorHandler: (error: Error) => logFailure(this.logger, 'A connection to the replica was lost', error),
    };
  }

  /** For migrations, whose statements have no time limit. */
  async migrationOptions(): Promise<DataSourceOptions> {
    return {
      ...toDataSource(await this.sessionConnection()),
      applicationName: MIGRATION_SESSION,
      poolSize: 1,
      extra: { keepAlive: true, ...withSettings({ statement_timeout: 0, lock_timeout: MIGRATION_LOCK_TIMEOUT_MS }) },
      poolErrorHandler: (error: Error) => logFailure(this.logger, 'A connection was lost', error),
    };
  }

  async connection(): Promise<PgConnection> {
    if (this.settings.databaseUrl !== null) return this.at('databaseUrl');
    if (this.address) return this.address;
    const { host, port, username, password, database } = await this.start();
    return { host, port, user: username, password, database };
  }

  /** For features bound to a session: LISTEN, advisory locks, session settings. */
  async sessionConnection(): Promise<PgConnection> {
    return this.settings.databaseDirectUrl === null ? this.connection() : this.at('databaseDirectUrl');
  }

  private at(name: keyof DatabaseUrls): PgConnection {
    const read = () => this.currentUrl(name);
    class Client extends pg.Client {
      constructor(config: pg.ClientConfig = {}) {
        super({ ...config, connectionString: read() });
      }
    }
    return { connectionString: read(), Client };
  }

  /** With the password that its file has now; with the last one if the file cannot be read. */
  private currentUrl(name: keyof DatabaseUrls): string {
    try {
      this.urls = this.settings.origins.readDatabaseUrls();
    } catch (error) {
      logFailure(this.logger, 'The address of the database cannot be read again', error);
    }
    return this.urls[name] ?? '';
  }

  /** Stops the embedded server if this process owns it; call it after the last query. */
  async stop(): Promise<void> {
    this.stopping = true;
    await (await this.embedded?.catch(() => undefined))?.stop();
  }

  /** The embedded database's address for workers; null when they find the database themselves. */
  async addressForWorkers(): Promise<PgConnection | null> {
    return this.settings.databaseUrl === null ? this.connection() : null;
  }

  /** Reports that a process reads at the same time: calls need the other connections, and processor time. */
  get reportsAtOnce(): number {
    return Math.max(1, Math.floor(REPORTS / this.settings.workers));
  }

  private get poolSize(): number {
    if (this.role === 'tool') return MIN_POOL;
    const share = Math.floor(CONNECTIONS / this.settings.workers) - BESIDE_POOL;
    return Math.max(MIN_POOL, Math.min(share, MAX_POOL));
  }

  /** Behind a pooler, a setting would affect other clients' sessions, so only the client enforces the limit. */
  private get statementLimit(): pg.PoolConfig {
    return this.settings.databaseDirectUrl === null
      ? withSettings({ statement_timeout: STATEMENT_LIMIT_MS })
      : { query_timeout: STATEMENT_LIMIT_MS };
  }

  private start(): Promise<EmbeddedPostgres> {
    this.embedded ??= this.role === 'gateway' ? this.startOwn() : startEmbeddedPostgres(this.folder);
    return this.embedded;
  }

  private startOwn(): Promise<EmbeddedPostgres> {
    return startGatewayPostgres(this.folder, {
      log: (message) => this.logger.log(message),
      onLost: () => void this.restart(),
    });
  }

  /** Starts the embedded server again after it ended unexpectedly, at the same address. */
  private async restart(): Promise<void> {
    this.logger.error('The embedded database has ended unexpectedly; starting it again.');
    while (!this.stopping) {
      try {
        this.embedded = this.startOwn();
        await this.embedded;
        this.logger.log('The embedded database is running again.');
        return;
      } catch (error) {
        logFailure(this.logger, 'The embedded database cannot be started', error);
        await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
      }
    }
  }

  private get folder(): string {
    return join(this.settings.dataDir, 'postgres');
  }
}

function toDataSource(at: PgConnection) {
  return {
    type: 'postgres',
    // The instance that all other code uses, also in a bundle.
    driver: pg,
    ...('connectionString' in at
      ? { url: at.connectionString }
      : { host: at.host, port: at.port, username: at.user, password: at.password, database: at.database }),
    synchronize: false,
    // Postgres creates UUIDs without an extension.
    installExtensions: false,
    // TypeORM's default logger writes plain text to stdout, where every line must be JSON.
    logger: 'debug',
    connectTimeoutMS: 5000,
  } as const;
}
