import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { afterFile } from './after-file.js';
import { eventually } from './eventually.js';
import type { TestDatabase } from './test-database.js';
import { createPassableFolder } from './test-settings.js';

/** A Postgres server of a single test, which can be stopped and killed. */
export class OwnPostgres implements TestDatabase {
  private constructor(
    private readonly folder: string,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const folder = await createPassableFolder('gateway-outage-');
    return new OwnPostgres(folder, await startEmbeddedPostgres(join(folder, 'postgres')));
  }

  get url(): string {
    const { username, password, port, host, database } = this.server;
    const url = new URL(`postgres://${username}:${encodeURIComponent(password)}@localhost:${port}/${database}`);
    url.searchParams.set('host', host);
    return url.href;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.startAgain();
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  async startAgain(): Promise<void> {
    this.server = await startEmbeddedPostgres(join(this.folder, 'postgres'));
  }

  /** Like a machine failure: nothing more is written. */
  async crash(): Promise<void> {
    process.kill(this.server.pid, 'SIGKILL');
    await eventually(() => this.isGone());
    await this.startAgain();
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  readonly drop = afterFile(async () => {
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  });

  private isGone(): Promise<boolean> {
    return this.query('SELECT 1').then(
      () => false,
      () => true,
    );
  }
}
