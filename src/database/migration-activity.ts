import type pg from 'pg';

/** The application name of connections that migrate. */
export const MIGRATION_SESSION = 'chat-completion-gateway migration';

/** A transaction that blocks others. */
export interface Blocker {
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
export async function longTransactions(client: pg.ClientBase): Promise<Blocker[]> {
  const { rows } = await client.query<Blocker>(
    `SELECT ${BLOCKER} FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> $1
       AND xact_start < clock_timestamp() - interval '1 s'
     ORDER BY xact_start LIMIT 3`,
    [MIGRATION_SESSION],
  );
  return rows;
}

export async function activeMigration(client: pg.ClientBase): Promise<ActiveMigration | null> {
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
