import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';

/** Runs one statement on the embedded database of a running gateway process. */
export async function queryEmbedded<Row extends pg.QueryResultRow>(
  dataFolder: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { host, port, username, password, database } = await startEmbeddedPostgres(join(dataFolder, 'postgres'));
  return queryServer({ host, port, user: username, password, database }, sql, values);
}

/** Runs one statement on a new connection. */
export async function queryServer<Row extends pg.QueryResultRow>(
  server: pg.ClientConfig,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
