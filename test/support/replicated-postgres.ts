import { execFile } from 'node:child_process';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { afterFile } from './after-file.js';
import type { TestDatabase } from './test-database.js';
import { createPassableFolder } from './test-settings.js';

/** A Postgres server with a streaming replica. */
export class ReplicatedPostgres {
  private constructor(
    private readonly folder: string,
    readonly primary: EmbeddedPostgres,
    readonly replica: EmbeddedPostgres,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const folder = await createPassableFolder('gateway-replicated-');
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    await (await startEmbeddedPostgres(one)).stop();
    await promisify(execFile)('cp', ['-a', one, other]);
    const primary = await startEmbeddedPostgres(one);
    const { host, port, username, password } = primary;
    const data = join(other, 'pg18');
    const source = `host=${host} port=${port} user=${username} password=${password}`;
    await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await writeFile(join(data, 'standby.signal'), '');
    return new ReplicatedPostgres(folder, primary, await startEmbeddedPostgres(other));
  }

  /** The primary. */
  get database(): TestDatabase {
    return {
      url: urlOf(this.primary),
      query: (sql, values) => query(this.primary, sql, values),
      drop: async () => undefined,
    };
  }

  get replicaUrl(): string {
    return urlOf(this.replica);
  }

  /** Delays replication until `resume`. */
  async pause(): Promise<void> {
    await query(this.replica, 'SELECT pg_wal_replay_pause()');
  }

  async resume(): Promise<void> {
    await query(this.replica, 'SELECT pg_wal_replay_resume()');
  }

  readonly stop = afterFile(async () => {
    await this.replica.stop();
    await this.primary.stop();
    await rm(this.folder, { recursive: true, force: true });
  });
}

function urlOf({ host, port, username, password, database }: EmbeddedPostgres): string {
  const url = new URL(`postgres://${username}:${encodeURIComponent(password)}@localhost:${port}/${database}`);
  url.searchParams.set('host', host);
  return url.href;
}

async function query<Row extends pg.QueryResultRow>(
  server: EmbeddedPostgres,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: urlOf(server) });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
