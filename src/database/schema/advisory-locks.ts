/**
 * Advisory locks of two 32-bit numbers: the gateway's own class, and what is locked. Locks of one 64-bit number are the
 * ledger's instance ids; Postgres keeps the two kinds apart.
 */
const SCHEMA_LOCK = '26487, 1';

/** Held while the usage roll-ups are written, and old usage is dropped. */
export const USAGE_LOCK = '26487, 2';

// 26487, 3 is held from the moment that an entry of the audit log is chained until it is committed: audit_chain_append.sql.

const LOOK_MS = 100;
const LIMIT_MS = 20_000;

/**
 * Takes the schema's lock for a session; false when it is not wanted any more. It asks again and again, for a statement
 * that waits holds a snapshot, and an index that the lock's holder creates concurrently would wait for that one.
 */
export async function takeSchemaLock(client: SchemaLockClient, isUnwanted = () => false): Promise<boolean> {
  while (!isUnwanted()) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${SCHEMA_LOCK}) AS taken`);
    if (rows[0]?.taken) return true;
    await pause();
  }
  return false;
}

/** Takes it until the end of the transaction. Throws when a migration or a restore has it for long. */
export async function takeSchemaLockInTransaction(manager: { query(sql: string): Promise<Taken[]> }): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (performance.now() < until) {
    const [row] = await manager.query(`SELECT pg_try_advisory_xact_lock(${SCHEMA_LOCK}) AS taken`);
    if (row?.taken) return;
    await pause();
  }
  throw new Error('the schema is locked: a migration or a restore is under way');
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
