import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Migration } from './migrations/migration.js';
import { MIGRATIONS, namesOf } from './migrations/migrations.js';
import { type AppliedMigration, appliedMigrations, refuseOtherSchema, signSchema } from './schema/schema-version.js';
import { changedFunctions, installFunctions, type SqlFunction } from './schema/sql-functions.js';

/**
 * How long a migration waits for a lock and thereby blocks others: below the 2 s that a call waits for its row, and
 * above the 1 s after which Postgres cancels an autovacuum.
 */
export const MIGRATION_LOCK_TIMEOUT_MS = 1200;
const LOCK_NOT_AVAILABLE = '55P03';
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
const REPORT_MS = 10_000;
const LOOK_MS = 500;

export interface MigrationRetries {
  isStopping(): boolean;
  /** How long to retry when locks are not available. */
  limitMs: number;
}

interface Missing {
  readonly migrations: readonly string[];
  readonly functions: readonly SqlFunction[];
}

/**
 * Runs the missing migrations, then installs the changed SQL functions, while gateways of the previous version serve.
 * Statements can run for any time but wait only briefly for a lock. After such a wait, everything since the last
 * finished migration is rolled back and retried later.
 */
export class MigrationRunner {
  private readonly logger = new Logger('Migrations');

  /** `session` holds the schema's lock; `options` are for the connections that migrate. */
  constructor(
    private readonly session: pg.Client,
    private readonly options: DataSourceOptions,
    private readonly retries: MigrationRetries,
    private readonly all: readonly (new () => Migration)[] = MIGRATIONS,
  ) {}

  /** False when the gateway stops first. */
  async run(): Promise<boolean> {
    const applied = await appliedMigrations(this.session);
    const known = namesOf(this.all);
    refuseOtherSchema(applied, known, 'the database');
    const migrations = known.filter((required) => !applied.some(({ name }) => name === required));
    const functions = await changedFunctions(this.session);
    if (migrations.length + functions.length === 0) return true;
    if (applied.length > 0) {
      this.logger.log(`Migrating the database: ${[...migrations, ...functions.map(({ name }) => name)].join(', ')}.`);
    }
    const beganAt = performance.now();
    const isDone = await this.retry({ migrations, functions });
    if (!isDone) return false;
    if (applied.length > 0) this.logger.log(`The database was migrated in ${secondsSince(beganAt)} s.`);
    else this.logger.log(`The database is set up (${migrations.at(-1)}).`);
    return true;
  }

  private async retry(missing: Missing): Promise<boolean> {
    const beganAt = performance.now();
    for (let pause = FIRST_PAUSE_MS; !this.retries.isStopping(); pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      try {
        await this.migrate(missing);
        return true;
      } catch (error) {
        if (this.retries.isStopping()) break;
        const blockers = await this.blockersOf(error, performance.now() - beganAt > this.retries.limitMs);
        this.logger.warn(
          `The migration waits for a table that is in use${inWords(blockers)}; next try in ${pause / 1000} s.`,
        );
        await this.sleep(pause);
      }
    }
    return false;
  }

  /** Throws errors that retrying cannot fix. */
  private async blockersOf(error: unknown, isOver: boolean): Promise<Blocker[]> {
    const isLock = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
    const blockers = isLock ? await longTransactions(this.session) : [];
    if (isLock && !isOver) return blockers;
    const reason = isLock ? `a table is in use${inWords(blockers)}` : reasonOf(error);
    throw new Error(`a migration of the database failed: ${reason}`, { cause: error });
  }

  private async migrate({ migrations, functions }: Missing): Promise<void> {
    await this.session.query(`SET lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}`);
    if (migrations.length > 0) await signSchema(this.session);
    const dataSource = await new DataSource({ ...this.options, migrations: [...this.all] }).initialize();
    const watch = this.watch();
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      await installFunctions(dataSource, functions);
    } finally {
      clearInterval(watch);
      await dataSource.destroy();
    }
  }

  private watch(): NodeJS.Timeout {
    let reportedAt = performance.now();
    let isLooking = false;
    return setInterval(async () => {
      const isDue = performance.now() - reportedAt > REPORT_MS;
      if (isLooking || !(isDue || this.retries.isStopping())) return;
      isLooking = true;
      reportedAt = performance.now();
      await (this.retries.isStopping() ? this.cancel() : this.report()).catch(() => undefined);
      isLooking = false;
    }, LOOK_MS);
  }

  private async report(): Promise<void> {
    const active = await activeMigration(this.session);
    if (!active) return;
    const { statement, seconds, progress, blockers } = active;
    const waits = blockers.length > 0 ? `; it is held up${inWords(blockers)}` : '';
    this.logger.log(`Migrating the database: ${statement} has run for ${seconds} s${progress}${waits}.`);
  }

  private async cancel(): Promise<void> {
    await this.session.query(
      'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [MIGRATION_SESSION],
    );
  }

  private async sleep(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (performance.now() < until && !this.retries.isStopping()) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, until - performance.now())));
    }
  }
}

/** As a suffix. */
function inWords(blockers: readonly Blocker[]): string {
  const each = blockers.map(({ pid, name, seconds }) => `process ${pid} (${name}, for ${seconds} s)`);
  return each.length === 0 ? '' : ` by ${each.join(' and ')}`;
}

function secondsSince(beganAt: number): string {
  return ((performance.now() - beganAt) / 1000).toFixed(1);
}

/** The application name of connections that migrate. */
export const MIGRATION_SESSION = 'chat-completion-gateway migration';

/** A transaction that blocks others. */
interface Blocker {
  readonly pid: number;
  readonly name: string;
  readonly seconds: number;
}

export interface ActiveMigration {
  readonly statement: string;
  readonly seconds: number;
  /** The progress of building an index, as a suffix. */
  readonly progress: string;
  readonly blockers: readonly Blocker[];
}

const BLOCKER = `pid, coalesce(nullif(application_name, ''), usename, '?') AS name,
  extract(epoch FROM clock_timestamp() - coalesce(xact_start, state_change))::int AS seconds`;

/** The oldest transactions that have run for more than a second, except those of the migration. */
async function longTransactions(client: pg.ClientBase): Promise<Blocker[]> {
  const { rows } = await client.query<Blocker>(
    `SELECT ${BLOCKER} FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> $1
       AND xact_start < clock_timestamp() - interval '1 s'
     ORDER BY xact_start LIMIT 3`,
    [MIGRATION_SESSION],
  );
  return rows;
}

async function activeMigration(client: pg.ClientBase): Promise<ActiveMigration | null> {
  const { rows } = await client.query<Omit<ActiveMigration, 'blockers'> & { pids: number[] }>(
    `SELECT regexp_replace(left(trim(query), 80), '\\s+', ' ', 'g') AS statement, pg_blocking_pids(a.pid) AS pids,
       extract(epoch FROM clock_timestamp() - query_start)::int AS seconds,
       coalesce(format(' (%s, %s of %s blocks)', phase, blocks_done, blocks_total), '') AS progress
     FROM pg_stat_activity AS a LEFT JOIN pg_stat_progress_create_index AS p ON p.pid = a.pid
     WHERE a.datname = current_database() AND application_name = $1 AND state = 'active' LIMIT 1`,
    [MIGRATION_SESSION],
  );
  const [active] = rows;
  if (!active) return null;
  const { rows: blockers } = await client.query<Blocker>(
    `SELECT ${BLOCKER} FROM pg_stat_activity WHERE pid = ANY ($1)`,
    [active.pids],
  );
  return { ...active, blockers };
}

/** `AggregateError`s of refused connections have no message. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message || code || String(error);
}

/** The schema version, for backup and restore. */
@Injectable()
export class SchemaVersionService {
  applied(client: pg.ClientBase): Promise<AppliedMigration[]> {
    return appliedMigrations(client);
  }

  /** Throws when this program cannot upgrade the schema of a backup. */
  refuseOther(applied: readonly AppliedMigration[]): void {
    refuseOtherSchema(applied, namesOf(MIGRATIONS), 'the backup');
  }
}
