/**
 * Advisory locks of two 32-bit numbers: the gateway's own class, and what is locked. Locks of one 64-bit number are the
 * ledger's instance ids; Postgres keeps the two kinds apart.
 */
export const SCHEMA_LOCK = '26487, 1';

/** Held while the usage roll-ups are written, and old usage is dropped. */
export const USAGE_LOCK = '26487, 2';

/** Held from the moment that an entry of the audit log is chained until it is committed. */
export const AUDIT_CHAIN_LOCK = '26487, 3';
