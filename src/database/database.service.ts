import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { takeSchemaLock } from './advisory-locks.js';
import { ClockService } from './clock.service.js';
import { DatabaseServer } from './database.server.js';
import { MigrationRunner, reasonOf } from './migration-runner.js';
import { SessionService } from './session.service.js';

const RETRY_MS = 500;
/** How long a command waits for a table that a migration needs. */
const TOOL_RETRY_LIMIT_MS = 60_000;
/** A database may refuse connections for a moment while it is being set up. */
const REFUSALS = 10;
/** SQLSTATEs: wrong password, no such user or no entry for it, no such database, no right to connect. */
const REFUSED = ['28P01', '28000', '3D000', '42501'];
/** Messages of PgBouncer, which has one code for all errors, and of the client. */
const REFUSED_TEXT = /^SASL:|authentication failed|no such (user|database)/i;

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

  get isStarted(): boolean {
    return this.started;
  }

  /** Registers work that needs the migrated schema; it runs in order of registration, before `start` resolves. */
  beforeReady(work: () => Promise<void>): void {
    this.starters.push(work);
  }

  /** The same for work that one process of a gateway does for all its workers. */
  beforeReadyInFirst(work: () => Promise<void>): void {
    if (this.server.role !== 'worker') this.beforeReady(work);
  }

  /** Resolves when the database is usable. Rejects when a migration fails or a required database is missing. */
  async start(): Promise<void> {
    const session = await this.connect();
    if (!session) return;
    try {
      if (this.server.role !== 'worker' && !(await this.migrate(session))) return;
      // A gateway's session synchronizes the clock from now on.
      if (this.server.role === 'tool') await this.clock.synchronize(session);
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

  /** Connects the pool; resolves to a separate session, or to nothing when the gateway is stopping. */
  private async connect(): Promise<pg.Client | undefined> {
    let logged: string | undefined;
    let refusals = 0;
    while (!this.stopping) {
      try {
        if (!this.dataSource.isInitialized) await this.dataSource.initialize();
        return await this.openSession();
      } catch (error) {
        const reason = reasonOf(error);
        if (error instanceof SharedSessionError) throw error;
        if (!this.server.canStartLater) throw new Error(`the database cannot be reached (${reason})`, { cause: error });
        refusals = isRefusal(error) ? refusals + 1 : 0;
        if (refusals === REFUSALS) throw new Error(this.refusalText(reason), { cause: error });
        if (reason !== logged) this.logger.warn(`The database cannot be reached yet (${reason}); retrying.`);
        logged = reason;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    return undefined;
  }

  private refusalText(reason: string): string {
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
    // The query that waits for a broken connection fails as well; the event must not end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** One process migrates while the others wait. False when the gateway is stopping. */
  private async migrate(session: pg.Client): Promise<boolean> {
    const isStopping = () => this.stopping;
    const limitMs = this.server.role === 'tool' ? TOOL_RETRY_LIMIT_MS : Number.POSITIVE_INFINITY;
    if (!(await takeSchemaLock(session, isStopping))) return false;
    return new MigrationRunner(session, await this.server.migrationOptions(), { isStopping, limitMs }).run();
  }
}

function isRefusal(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return REFUSED.includes(code ?? '') || REFUSED_TEXT.test(message);
}

const CHECKS = 3;

/**
 * Throws when a pooler in transaction mode shares the client's server connection between statements. `openOther` opens
 * a second connection, which then meets the first one's server.
 */
async function refuseSharedSession(client: pg.Client, openOther: () => Promise<pg.Client>): Promise<void> {
  const server = await serverOf(client);
  // A pooler reports a made-up process id to its clients.
  if (server === (client as pg.Client & { processID?: number }).processID) return;
  const other = await openOther();
  try {
    for (let check = 0; check < CHECKS; check++) {
      if ((await serverOf(other)) === (await serverOf(client))) throw new SharedSessionError();
    }
  } finally {
    await other.end();
  }
}

class SharedSessionError extends Error {
  constructor() {
    super(
      'the database is reached through a pooler in transaction mode, which keeps no session for LISTEN and locks: ' +
        'set DATABASE_DIRECT_URL to a direct connection',
    );
  }
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
