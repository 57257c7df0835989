import type pg from 'pg';

const CHECKS = 3;

/**
 * Throws when a pooler in transaction mode shares the client's server connection between statements. `openOther` opens
 * a second connection, which then meets the first one's server.
 */
export async function refuseSharedSession(client: pg.Client, openOther: () => Promise<pg.Client>): Promise<void> {
  const server = await serverOf(client);
  // A pooler reports a made-up process id to its clients.
  if (server === (client as pg.Client & { processID?: number }).processID) return;
  const other = await openOther();
  try {
    for (let check = 0; check < CHECKS; check++) {
      if ((await serverOf(other)) === (await serverOf(client))) throw new SharedSessionError();
    }
  } finally {
    await other.end();
  }
}

export class SharedSessionError extends Error {
  constructor() {
    super(
      'the database is reached through a pooler in transaction mode, which keeps no session for LISTEN and locks: ' +
        'set DATABASE_DIRECT_URL to a direct connection',
    );
  }
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
