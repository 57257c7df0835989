import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { projectPath } from './project.mjs';

/** Of the built gateway: Jest's own process reads no TypeScript. */
const built = projectPath('dist/database/embedded/embedded-postgres.js');
/** All servers together take less than two. */
const PLENTY_BYTES = 6 * 1024 ** 3;

/**
 * Starts an embedded Postgres for each of Jest's workers, whose test files make their databases there one after another:
 * making a server for each file took longer than many a file. Their addresses go to the workers in
 * TEST_DATABASE_SERVERS. Nothing is started where TEST_DATABASE_URL names a server, or before the first build.
 */
export default async function setUp({ maxWorkers }) {
  if (process.env.TEST_DATABASE_URL || !existsSync(built)) return;
  const { startEmbeddedPostgres } = await import(pathToFileURL(built).href);
  const servers = await Promise.all(Array.from({ length: maxWorkers }, () => startServer(startEmbeddedPostgres)));
  process.env.TEST_DATABASE_SERVERS = JSON.stringify(servers.map(({ url }) => url));
  globalThis.stopTestDatabases = () => Promise.all(servers.map(({ stop }) => stop()));
}

async function startServer(startEmbeddedPostgres) {
  const folder = await mkdtemp(join(await place(), 'gateway-db-'));
  // When root runs the tests, the server's own account must be able to enter.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres(join(folder, 'postgres'));
  const url = new URL(`postgres://${server.username}@localhost:${server.port}/postgres`);
  url.password = encodeURIComponent(server.password);
  url.searchParams.set('host', server.host);
  await withoutDiskFlushes(url.href);
  return {
    url: url.href,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** In memory where there is plenty of it: a database is a thousand files, and disks are slow to create and delete them. */
async function place() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = await statfs(memory);
  return Math.min(bavail * bsize, freemem()) > PLENTY_BYTES ? memory : tmpdir();
}

/** Nothing here must outlive the machine; what a crash leaves is tested on servers of those tests' own. */
async function withoutDiskFlushes(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('ALTER SYSTEM SET full_page_writes = off');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
