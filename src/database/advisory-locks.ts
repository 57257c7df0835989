/**
 * Advisory locks of two 32-bit numbers: the gateway's own class, and what is locked. Locks of one 64-bit number are the
 * ledger's instance ids; Postgres keeps the two kinds apart.
 */
export const SCHEMA_LOCK = '26487, 1';
