import pg from 'pg';
import { type PgConnection, withSettings } from '../database/database.server.js';
import type { LedgerMetricsService } from '../telemetry/metrics/ledger-metrics.service.js';
import { jsonRows } from './batches/batch-format.js';
import { isTimeout, isWithoutPartition } from './batches/batch-statement.js';
import { BatchWriter, type BatchWriterOptions } from './batches/batch-writer.js';
import type { Admission } from './rows/admission.types.js';
import type { ClosedCall, OpenCall } from './rows/call-record.types.js';
import { ClosingFormat } from './rows/closing.format.js';
import { LedgerSchema } from './rows/ledger-schema.js';
import { OpeningFormat } from './rows/opening.format.js';
import { DELETE_OPEN } from './rows/usage-statements.js';

const STATEMENT_LIMIT_MS = 5000;
/** Opening calls wait for this statement. */
const OPENING_STATEMENT_LIMIT_MS = 500;
const APART = 3;
/** One more for deleting open rows; two are always open. */
const APART_CONNECTIONS = { min: 2, max: APART + 1 };
/** For callers who timed out recently; together with their earlier wait it stays below `OPENING_LIMIT_MS`. */
const SLOW_STATEMENT_LIMIT_MS = 1500;
const APART_IDLE_MS = 10_000;
const CONNECT_LIMIT_MS = 2000;
const LONGEST_CONNECTION_S = 24 * 3600;
/** After this, no statement runs on an abandoned connection. */
export const LONGEST_STATEMENT_MS = STATEMENT_LIMIT_MS + 1000;

export const OPENING_LIMIT_MS = 2000;
/** How long an ended call waits for its row, as its answer was paid for. */
export const CLOSING_LIMIT_MS = 10_000;
/** After this long a row goes to the journal, if there is one; a merely slow statement has ended by then. */
export const JOURNAL_AFTER_MS = 5000;
/** Rows go to the journal immediately once statements have failed for this long. */
const JOURNALED_AFTER_MS = 2000;
/** New calls are rejected immediately once none could be opened for this long. */
const REFUSED_AFTER_MS = 10_000;
/** Each waits with its request's body. */
const MOST_OPENING = 10_000;
/** About 70 MB. */
const MOST_CLOSED = 100_000;

export interface LedgerWriters {
  pools: pg.Pool[];
  /** Each is listed once per connection to open at start. */
  connectedAtStart: pg.Pool[];
  open: BatchWriter<OpenCall, Admission | null>;
  closed: BatchWriter<ClosedCall>;
  /** Deletes open rows; takes ids as JSON strings. */
  unopened: BatchWriter<string>;
  /** For calls from the journal; separate so that they delay no others. */
  replayed: BatchWriter<ClosedCall>;
}

export interface LedgerLoad {
  underWay: number;
}

export interface LedgerEvents {
  onFailure(error: unknown): void;
  /** Opening the calls of one caller is too slow; it is retried. */
  onSlowCaller(error: unknown, userId: string, calls: readonly OpenCall[]): void;
  makePartitions(dates: readonly Date[]): Promise<void>;
  notOpened(error: unknown, call: OpenCall): Error;
  notClosed(error: unknown, call: ClosedCall): Error;
  /** Stores ended calls that were not written in time; undefined: there is no journal. */
  toJournal?: BatchWriterOptions<ClosedCall, void>['rescue'];
}

/**
 * Opening and closing calls have a connection each, so that neither waits for the other. Callers who would delay all
 * others, for example because of a locked balance, get statements on further connections.
 */
export function ledgerWriters(
  connection: PgConnection,
  instanceId: string,
  metrics: LedgerMetricsService,
  { onFailure, onSlowCaller, makePartitions, notOpened, notClosed, toJournal }: LedgerEvents,
  load: Readonly<LedgerLoad> = { underWay: 0 },
): LedgerWriters {
  const at = {
    ...connection,
    max: 1,
    idleTimeoutMillis: 0,
    // A new one learns of the partitions that came meanwhile.
    maxLifetimeSeconds: LONGEST_CONNECTION_S,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    // For a server that stopped responding. Longer than the server's own timeout, which guarantees that nothing was
    // stored.
    query_timeout: LONGEST_STATEMENT_MS,
  };
  // Plans are reused while tables grow, so rows must be found by index from the start.
  const byIndex = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };
  // Avoids planning each batch.
  const planned = { plan_cache_mode: 'force_generic_plan' };
  const limit = { statement_timeout: STATEMENT_LIMIT_MS, ...byIndex, ...planned };
  const schema = new LedgerSchema();
  const opens = {
    ...at,
    ...connected(schema, { ...limit, statement_timeout: OPENING_STATEMENT_LIMIT_MS, synchronous_commit: 'off' }),
  };
  const opening = new pg.Pool({ ...opens, application_name: 'gateway open calls' });
  const apart = new pg.Pool({
    ...opens,
    ...APART_CONNECTIONS,
    idleTimeoutMillis: APART_IDLE_MS,
    application_name: 'gateway open calls apart',
  });
  const closing = new pg.Pool({ ...at, ...connected(schema, limit), application_name: 'gateway closed calls' });
  // Gathering stops at half of the calls in progress.
  const enough = () => load.underWay >> 1;
  const kept = { patienceMs: CLOSING_LIMIT_MS, mostWaiting: MOST_CLOSED, onFailure };
  const isMended = async (error: unknown, calls: readonly OpenCall[]) => {
    if (!isWithoutPartition(error)) return false;
    await makePartitions(calls.map(({ startedAt }) => startedAt)).catch(onFailure);
    return true;
  };
  const open = new BatchWriter<OpenCall, Admission | null>({
    pool: opening,
    format: new OpeningFormat(instanceId, schema),
    patienceMs: OPENING_LIMIT_MS,
    refusesAfterMs: REFUSED_AFTER_MS,
    isMended,
    mostWaiting: MOST_OPENING,
    onFailure,
    enough,
    onWritten: metrics.observerOf('open'),
    toCallerError: notOpened,
    apart: {
      pool: apart,
      limitMs: OPENING_STATEMENT_LIMIT_MS,
      slowLimitMs: SLOW_STATEMENT_LIMIT_MS,
      formats: Array.from({ length: APART }, () => new OpeningFormat(instanceId, schema)),
      callerOf: ({ userId }) => userId,
      onApart: (error, rows) => metrics.observeApart(rows, isTimeout(error)),
      onTimeout: (error, userId, calls) => {
        metrics.observeTimeout('apart');
        onSlowCaller(error, userId, calls);
      },
      onWritten: metrics.observerOf('apart'),
    },
  });
  const closed = new BatchWriter<ClosedCall>({
    pool: closing,
    format: new ClosingFormat(instanceId, schema),
    ...kept,
    ...(toJournal && { patienceMs: JOURNAL_AFTER_MS, refusesAfterMs: JOURNALED_AFTER_MS, rescue: toJournal }),
    isMended,
    enough,
    onWritten: metrics.observerOf('closed'),
    toCallerError: notClosed,
  });
  const unopened = new BatchWriter({
    // No call waits behind it here if a balance is locked.
    pool: apart,
    format: jsonRows('delete-open-calls', DELETE_OPEN),
    ...kept,
    onWritten: metrics.observerOf('unopened'),
  });
  const replaying = new pg.Pool({
    ...at,
    ...connected(schema, limit),
    idleTimeoutMillis: APART_IDLE_MS,
    application_name: 'gateway journal',
  });
  const replayed = new BatchWriter<ClosedCall>({
    pool: replaying,
    format: new ClosingFormat(instanceId, schema),
    ...kept,
    isMended,
    onWritten: metrics.observerOf('replayed'),
  });
  opening.on('error', (error) => open.suspect(error));
  closing.on('error', (error) => closed.suspect(error));
  // The next statement on a new connection reports the error.
  apart.on('error', () => undefined);
  replaying.on('error', () => undefined);
  return {
    pools: [opening, closing, apart, replaying],
    connectedAtStart: [opening, closing, apart, apart],
    open,
    closed,
    unopened,
    replayed,
  };
}

/** Connects first, as the first statement needs the types read on connect; failures show when the writers start. */
export async function startWatching({ connectedAtStart, open, closed }: LedgerWriters): Promise<void> {
  const clients = await Promise.allSettled(connectedAtStart.map((pool) => pool.connect()));
  for (const client of clients) if (client.status === 'fulfilled') client.value.release();
  await Promise.all([open.startWatching(), closed.startWatching()]);
}

/** Configures each new connection and reads the types and tables of its server. */
function connected(schema: LedgerSchema, settings: Record<string, string | number>): Pick<pg.PoolConfig, 'onConnect'> {
  const { onConnect } = withSettings(settings);
  return {
    onConnect: async (client) => {
      await onConnect?.(client);
      await schema.read(client);
    },
  };
}
