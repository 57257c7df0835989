import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { afterFile } from './after-file.js';
import { startServices } from './test-services.js';
import { createPassableFolder } from './test-settings.js';

const TEMPLATE = 'gateway_template';

/**
 * A separate database: on the server of TEST_DATABASE_URL, else on the embedded server of this Jest worker, else on an
 * embedded one in a temporary folder.
 */
export interface TestDatabase {
  url: string;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** An empty one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env.TEST_DATABASE_URL ?? workersServer();
  return given ? createOn(given, async () => undefined) : createEmbedded();
}

/** One with the gateway's schema: copied from a template if the worker has a server for all its files. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL ? undefined : workersServer();
  if (!server) return createTestDatabase();
  if ((await run(server, `SELECT FROM pg_database WHERE datname = '${TEMPLATE}'`)) === 0) await createTemplate(server);
  return createOn(server, async () => undefined, TEMPLATE);
}

async function createTemplate(server: string): Promise<void> {
  const url = new URL(server);
  url.pathname = `/${TEMPLATE}_unfinished`;
  await run(server, `CREATE DATABASE ${TEMPLATE}_unfinished`);
  const services = await startServices(url.href);
  await services.close();
  await run(server, `ALTER DATABASE ${TEMPLATE}_unfinished RENAME TO ${TEMPLATE}`);
}

function workersServer(): string | undefined {
  const servers: string[] = JSON.parse(process.env.TEST_DATABASE_SERVERS ?? '[]');
  return servers[Number(process.env.JEST_WORKER_ID ?? 1) - 1];
}

async function createEmbedded(): Promise<TestDatabase> {
  const folder = await createPassableFolder('gateway-db-');
  const server = await startEmbeddedPostgres(join(folder, 'postgres'));
  const url = new URL(
    `postgres://${server.username}:${encodeURIComponent(server.password)}@localhost:${server.port}/postgres`,
  );
  url.searchParams.set('host', server.host);
  return createOn(url.href, async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
}

async function createOn(serverUrl: string, stopServer: () => Promise<void>, template = 'template1') {
  const name = `gateway_test_${randomBytes(6).toString('hex')}`;
  // Without flushes to disk, copying files costs half as much as logging each page, which is the default.
  const strategy = serverUrl === workersServer() ? 'STRATEGY file_copy' : '';
  await run(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} ${strategy}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      (await pool.query<Row>(sql, values)).rows,
    drop: afterFile(async () => {
      await pool.end();
      await run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await stopServer();
    }),
  };
}

async function run(url: string, sql: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rowCount;
  } finally {
    await client.end();
  }
}
