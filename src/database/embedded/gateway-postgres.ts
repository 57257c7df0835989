import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type EmbeddedPostgres, type StartLog, startEmbeddedPostgres } from './embedded-postgres.js';

/** How long a gateway waits for a command-line tool that runs the server. */
const TOOL_LIMIT_MS = 60_000;
const LOOK_PAUSE_MS = 150;

export interface GatewayPostgresOptions {
  log?: StartLog;
  /** Called once when the lock is lost: the server has ended, or another gateway may start. */
  onLost?: (cause: Error) => void;
}

/**
 * Like `startEmbeddedPostgres`, for the gateway, which must own the server. Only owners take the gateway lock: another
 * process's server belongs to a gateway if the lock is taken, and otherwise to a command-line tool, which ends soon.
 */
export async function startGatewayPostgres(
  folder: string,
  { log = () => undefined, onLost = () => undefined }: GatewayPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const limit = performance.now() + TOOL_LIMIT_MS;
  for (let looks = 0; performance.now() < limit; looks++) {
    const server = await startEmbeddedPostgres(folder, log);
    if (server.owner) return withGatewayLock(server, onLost);
    // A server that does not respond is about to stop.
    if (await isGatewayLockTaken(server).catch(() => false)) throw anotherGateway(server);
    if (looks === 0) log(`waiting for the command-line tool that uses the data folder ${server.folder}`);
    await sleep(LOOK_PAUSE_MS);
  }
  throw new Error(`a command-line tool still uses the data folder ${folder} after ${TOOL_LIMIT_MS / 1000} s`);
}

async function withGatewayLock(server: EmbeddedPostgres, onLost: (cause: Error) => void): Promise<EmbeddedPostgres> {
  try {
    const lock = await takeGatewayLock(server, onLost);
    if (!lock) throw anotherGateway(server);
    return { ...server, stop: () => lock.release().then(server.stop) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function anotherGateway(server: EmbeddedPostgres): Error {
  return new Error(`another gateway is already running on the data folder ${server.folder}`);
}

/** The advisory lock (two-part key) held by the gateway that runs on this database. */
const CLASS = 0x47570001;
const OBJECT = 1;

/** Held as long as its own connection. */
export interface GatewayLock {
  release(): Promise<void>;
}

/** Takes the lock; undefined when it is taken. `onLost` is called once if the connection breaks before `release()`. */
async function takeGatewayLock(
  server: EmbeddedPostgres,
  onLost: (cause: Error) => void,
): Promise<GatewayLock | undefined> {
  const client = await connected(server);
  if (!(await isTrue(client, 'select pg_try_advisory_lock($1, $2) as answer'))) {
    await client.end();
    return undefined;
  }
  let isOwned = true;
  const lose = (cause: Error) => {
    if (isOwned) onLost(cause);
    isOwned = false;
  };
  client.on('error', lose).on('end', () => lose(new Error('the connection that holds the gateway lock has ended')));
  return {
    async release() {
      isOwned = false;
      await client.end();
    },
  };
}

/** Checks without taking the lock, so that concurrent checks do not see each other. */
export async function isGatewayLockTaken(server: EmbeddedPostgres): Promise<boolean> {
  const client = await connected(server);
  try {
    return await isTrue(
      client,
      `select exists (
         select from pg_locks where locktype = 'advisory' and granted and classid = $1 and objid = $2 and objsubid = 2
       ) as answer`,
    );
  } finally {
    await client.end();
  }
}

async function connected({ host, port, username, password, database }: EmbeddedPostgres): Promise<Client> {
  const client = new Client({ host, port, user: username, password, database, application_name: 'gateway lock' });
  // The query that waits for a broken connection fails as well; the event must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function isTrue(client: Client, sql: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(sql, [CLASS, OBJECT]);
  return rows[0]?.answer === true;
}
