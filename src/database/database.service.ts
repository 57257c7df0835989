import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { SCHEMA_LOCK } from './advisory-locks.js';
import { DatabaseServer } from './database.server.js';
import { SessionService } from './session.service.js';

const RETRY_MS = 500;
const PING_TIMEOUT_MS = 2000;

/** Connects, migrates, and knows whether the database can be used. */
@Injectable()
export class DatabaseService {
  private readonly logger = new Logger('Database');
  private readonly starters: (() => Promise<void>)[] = [];
  private started = false;
  private stopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly server: DatabaseServer,
    private readonly session: SessionService,
  ) {}

  /** True once connected and migrated. */
  get isStarted(): boolean {
    return this.started;
  }

  /** Registers a gateway's work that needs the migrated schema; it runs, in this order, before `start` resolves. */
  beforeReady(work: () => Promise<void>): void {
    this.starters.push(work);
  }

  /** Resolves when the database is usable. Rejects when a migration fails, or the database is not there and must be. */
  async start(): Promise<void> {
    await this.connect();
    if (this.stopping) return;
    await this.migrate();
    if (this.server.role === 'gateway') {
      await this.session.start();
      for (const work of this.starters) await work();
    }
    this.started = true;
  }

  /** True when the database answers now. */
  async answers(): Promise<boolean> {
    if (!this.started) return false;
    const timeout = new Promise<false>((resolve) => setTimeout(resolve, PING_TIMEOUT_MS, false).unref());
    const answer = this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
    return Promise.race([answer, timeout]);
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  private async connect(): Promise<void> {
    let told: string | undefined;
    while (!this.stopping) {
      try {
        await this.dataSource.initialize();
        return;
      } catch (error) {
        const reason = reasonOf(error);
        if (!this.server.mayComeLater) throw new Error(`the database cannot be reached (${reason})`, { cause: error });
        if (reason !== told) this.logger.warn(`The database cannot be reached yet (${reason}); trying on.`);
        told = reason;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** One process migrates, the others wait for it: they may all have started at once. */
  private async migrate(): Promise<void> {
    const client = new pg.Client({ ...(await this.server.sessionConnection()), connectionTimeoutMillis: 5000 });
    // A broken connection also fails what waits for it; the event must not end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(`SELECT pg_advisory_lock(${SCHEMA_LOCK})`);
      await this.dataSource.runMigrations({ transaction: 'each' }).catch((error) => {
        throw new Error(`a migration of the database failed: ${reasonOf(error)}`, { cause: error });
      });
    } finally {
      await client.end();
    }
  }
}

/** `AggregateError`s of a refused connection have no message of their own. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}
