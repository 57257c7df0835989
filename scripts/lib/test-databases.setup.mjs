import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { projectPath } from './project.mjs';

/** Imported from the built gateway, because Jest's own process cannot read TypeScript. */
const built = projectPath('dist/database/embedded/embedded-postgres.js');
/** All servers together use less than two. */
const PLENTY_BYTES = 6 * 1024 ** 3;

/**
 * Starts an embedded Postgres for each of Jest's workers. The test files of a worker create their databases there,
 * because starting a server took longer than many test files. The workers get the addresses in TEST_DATABASE_SERVERS.
 * Nothing is started if TEST_DATABASE_URL names a server, or before the first build.
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
  // If root runs the tests, the account of the server must have access.
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

/** In memory if there is enough: a database has a thousand files, which disks create and delete slowly. */
async function place() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = await statfs(memory);
  return Math.min(bavail * bsize, freemem()) > PLENTY_BYTES ? memory : tmpdir();
}

/** These data need not survive a crash of the machine. Tests of crashes use their own servers. */
async function withoutDiskFlushes(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('ALTER SYSTEM SET full_page_writes = off');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
