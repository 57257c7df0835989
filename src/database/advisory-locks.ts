/**
 * Advisory locks with two 32-bit keys: the gateway's class, and the locked object. Locks with one 64-bit key are the
 * ledger's instance ids; Postgres keeps both kinds apart.
 */
const SCHEMA_LOCK = '26487, 1';

/** Held while usage roll-ups are written or old usage is dropped. */
export const USAGE_LOCK = '26487, 2';

/** Held while balances are repaired. */
export const REPAIR_LOCK = '26487, 4';

// 26487, 3 is held from chaining an entry of the audit log until its commit: see audit_chain_append.sql.

const LOOK_MS = 100;
const LIMIT_MS = 20_000;

/**
 * Takes the schema's lock for a session; false when it is no longer wanted. Polls, because a waiting statement holds a
 * snapshot, which would block an index that the lock's holder creates concurrently.
 */
export async function takeSchemaLock(client: SchemaLockClient, isCancelled = () => false): Promise<boolean> {
  while (!isCancelled()) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${SCHEMA_LOCK}) AS taken`);
    if (rows[0]?.taken) return true;
    await pause();
  }
  return false;
}

/** Holds the lock until the end of the transaction. Throws when a migration or a restore holds it for long. */
export async function takeSchemaLockInTransaction(manager: { query(sql: string): Promise<Taken[]> }): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (performance.now() < until) {
    const [row] = await manager.query(`SELECT pg_try_advisory_xact_lock(${SCHEMA_LOCK}) AS taken`);
    if (row?.taken) return;
    await pause();
  }
  throw new Error('the schema is locked: a migration or a restore is in progress');
}

interface Taken {
  taken: boolean;
}

interface SchemaLockClient {
  query(sql: string): Promise<{ rows: Taken[] }>;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
