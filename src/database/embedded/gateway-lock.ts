import { Client } from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.js';

/** The advisory lock (two-part key) held by the gateway that runs on this database. */
const CLASS = 0x47570001;
const OBJECT = 1;

/** Held as long as its own connection. */
export interface GatewayLock {
  release(): Promise<void>;
}

/** Takes the lock; undefined when it is taken. `onLost` is called once if the connection breaks before `release()`. */
export async function takeGatewayLock(
  server: EmbeddedPostgres,
  onLost: (cause: Error) => void,
): Promise<GatewayLock | undefined> {
  const client = await connected(server);
  if (!(await isTrue(client, 'select pg_try_advisory_lock($1, $2) as answer'))) {
    await client.end();
    return undefined;
  }
  let held = true;
  const lose = (cause: Error) => {
    if (held) onLost(cause);
    held = false;
  };
  client.on('error', lose).on('end', () => lose(new Error('the connection that holds the gateway lock has ended')));
  return {
    async release() {
      held = false;
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
