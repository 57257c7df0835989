import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { ClockService } from './clock.service.js';
import { DatabaseServer } from './database.server.js';
import { reasonOf } from './failure-reason.js';
import { MigrationRunner } from './migration-runner.js';
import { refuseSharedSession, SharedSessionError } from './pooler.js';
import { takeSchemaLock } from './schema/advisory-locks.js';
import { SessionService } from './session.service.js';

const RETRY_MS = 500;
/** How long a command waits for a table that a migration needs. */
const TOOL_PATIENCE_MS = 60_000;
/** A database that is there may still refuse for a moment, while somebody sets it up. */
const REFUSALS = 10;
/** SQLSTATEs: wrong password, no such user or no entry for it, no such database, no right to connect. */
const REFUSED = ['28P01', '28000', '3D000', '42501'];
/** How PgBouncer, which has one code for everything, and the client itself say the same. */
const REFUSED_TEXT = /^SASL:|authentication failed|no such (user|database)/i;

/** Connects and migrates. */
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
    private readonly clock: ClockService,
  ) {}

  /** True once connected and migrated. */
  get isStarted(): boolean {
    return this.started;
  }

  /** Registers a gateway's work that needs the migrated schema; it runs, in this order, before `start` resolves. */
  beforeReady(work: () => Promise<void>): void {
    this.starters.push(work);
  }

  /** The same for work that one process of a gateway does for all its workers. */
  beforeReadyInFirst(work: () => Promise<void>): void {
    if (this.server.role !== 'worker') this.beforeReady(work);
  }

  /** Resolves when the database is usable. Rejects when a migration fails, or the database is not there and must be. */
  async start(): Promise<void> {
    const session = await this.connect();
    if (!session) return;
    try {
      if (this.server.role !== 'worker' && !(await this.migrate(session))) return;
      // A gateway's own session asks from now on.
      if (this.server.role === 'tool') await this.clock.ask(session);
    } finally {
      await session.end();
    }
    if (this.server.role !== 'tool') {
      await this.session.start();
      for (const work of this.starters) await work();
    }
    this.started = true;
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** The pool is connected then; resolves to a session beside it, or to nothing when it is no longer wanted. */
  private async connect(): Promise<pg.Client | undefined> {
    let told: string | undefined;
    let refusals = 0;
    while (!this.stopping) {
      try {
        if (!this.dataSource.isInitialized) await this.dataSource.initialize();
        return await this.openSession();
      } catch (error) {
        const reason = reasonOf(error);
        if (error instanceof SharedSessionError) throw error;
        if (!this.server.mayComeLater) throw new Error(`the database cannot be reached (${reason})`, { cause: error });
        refusals = isRefusal(error) ? refusals + 1 : 0;
        if (refusals === REFUSALS) throw new Error(this.refused(reason), { cause: error });
        if (reason !== told) this.logger.warn(`The database cannot be reached yet (${reason}); trying on.`);
        told = reason;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    return undefined;
  }

  private refused(reason: string): string {
    const variable = this.dataSource.isInitialized ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
    return (
      `the database refuses the gateway (${reason}), ${REFUSALS} times in a row: ` +
      `check the user, the password and the name of the database in ${variable}`
    );
  }

  private async openSession(): Promise<pg.Client> {
    const client = await this.openClient();
    try {
      await refuseSharedSession(client, () => this.openClient());
      return client;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  private async openClient(): Promise<pg.Client> {
    const client = new pg.Client({ ...(await this.server.sessionConnection()), connectionTimeoutMillis: 5000 });
    // A broken connection also fails what waits for it; the event must not end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** One process migrates, the others wait for it: they may all have started at once. False when the gateway stops. */
  private async migrate(session: pg.Client): Promise<boolean> {
    const isStopping = () => this.stopping;
    const limitMs = this.server.role === 'tool' ? TOOL_PATIENCE_MS : Number.POSITIVE_INFINITY;
    if (!(await takeSchemaLock(session, isStopping))) return false;
    return new MigrationRunner(session, await this.server.migrationOptions(), { isStopping, limitMs }).run();
  }
}

function isRefusal(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return REFUSED.includes(code ?? '') || REFUSED_TEXT.test(message);
}
