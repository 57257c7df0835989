import pg from 'pg';
import { type DatabaseServer, type PgConnection, withSettings } from '../database/database.server.js';
import type { LedgerMetricsService } from '../telemetry/ledger-metrics.service.js';
import { isTimeout, isWithoutPartition, jsonRows } from './batches/batch.js';
import { BatchWriter, type BatchWriterOptions } from './batches/batch-writer.js';
import type { Admission, ClosedCall, OpenCall } from './call-record.types.js';
import { ClosingFormat, OpeningFormat } from './rows/row.formats.js';
import { DELETE_OPEN, LedgerSchema } from './rows/usage-statements.js';

const STATEMENT_LIMIT_MS = 5000;
/** Short, because the statement delays all calls that are being opened. */
const OPENING_STATEMENT_LIMIT_MS = 500;
const PER_CALLER_STATEMENTS = 3;
/** One more for deleting open rows. Two are kept open. */
const PER_CALLER_CONNECTIONS = { min: 2, max: PER_CALLER_STATEMENTS + 1 };
/** For callers that timed out recently. Both timeouts together do not exceed `OPENING_LIMIT_MS`. */
const SLOW_STATEMENT_LIMIT_MS = 1500;
const SPARE_IDLE_MS = 10_000;
const CONNECT_LIMIT_MS = 2000;
const MAX_CONNECTION_S = 24 * 3600;
/** No statement on an abandoned connection runs longer than this. */
export const MAX_STATEMENT_MS = STATEMENT_LIMIT_MS + 1000;

export const OPENING_LIMIT_MS = 2000;
/** How long an ended call waits for its row. Longer than a new call, as its answer has been paid for. */
export const CLOSING_LIMIT_MS = 10_000;
/** After this long a row goes to the journal, if there is one. A statement that is only slow has ended by then. */
export const JOURNAL_AFTER_MS = 5000;
/** Once statements have failed for this long, rows go to the journal immediately. */
const JOURNALED_AFTER_MS = 2000;
/** Once no call could be opened for this long, new calls are refused immediately. */
const REFUSED_AFTER_MS = 10_000;
/** Each waiting call holds its request's body in memory. */
const MAX_OPENING = 10_000;
/** About 70 MB. */
const MAX_CLOSED = 100_000;

export interface LedgerWriters {
  pools: pg.Pool[];
  /** A pool is listed once for each connection to open at start. */
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
  /** Opening the calls of one caller timed out and is retried. */
  onSlowCaller(error: unknown, userId: string, calls: readonly OpenCall[]): void;
  makePartitions(dates: readonly Date[]): Promise<void>;
  notOpened(error: unknown, call: OpenCall): Error;
  notClosed(error: unknown, call: ClosedCall): Error;
  /** Stores ended calls that were not written in time; undefined: there is no journal. */
  toJournal?: BatchWriterOptions<ClosedCall, void>['rescue'];
}

/**
 * Opening calls and closing calls use separate connections, so that neither waits for the other. Callers that would
 * delay others, for example because their balance is locked, get their own statements on further connections.
 */
export function ledgerWriters(
  connection: PgConnection & Partial<ReturnType<DatabaseServer['direct']['optionsFor']>>,
  instanceId: string,
  metrics: LedgerMetricsService,
  { onFailure, onSlowCaller, makePartitions, notOpened, notClosed, toJournal }: LedgerEvents,
  load: Readonly<LedgerLoad> = { underWay: 0 },
): LedgerWriters {
  const at = {
    ...connection,
    max: 1,
    idleTimeoutMillis: 0,
    // A new connection reads the current list of partitions.
    maxLifetimeSeconds: MAX_CONNECTION_S,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    // For a server that does not respond. Longer than its own timeout, after which nothing was stored for certain.
    query_timeout: MAX_STATEMENT_MS,
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
  const perCaller = new pg.Pool({
    ...opens,
    ...PER_CALLER_CONNECTIONS,
    idleTimeoutMillis: SPARE_IDLE_MS,
    application_name: 'gateway open calls per caller',
  });
  const closing = new pg.Pool({ ...at, ...connected(schema, limit), application_name: 'gateway closed calls' });
  // Gathering stops at half of the calls in progress.
  const enough = () => load.underWay >> 1;
  const settings = { patienceMs: CLOSING_LIMIT_MS, mostWaiting: MAX_CLOSED, onFailure };
  const repair = async (error: unknown, calls: readonly OpenCall[]) => {
    if (!isWithoutPartition(error)) return false;
    await makePartitions(calls.map(({ startedAt }) => startedAt)).catch(onFailure);
    return true;
  };
  const open = new BatchWriter<OpenCall, Admission | null>({
    pool: opening,
    format: new OpeningFormat(instanceId, schema),
    patienceMs: OPENING_LIMIT_MS,
    rejectsAfterMs: REFUSED_AFTER_MS,
    repair,
    mostWaiting: MAX_OPENING,
    onFailure,
    enough,
    onWritten: metrics.observerOf('open'),
    toCallerError: notOpened,
    perCaller: {
      pool: perCaller,
      limitMs: OPENING_STATEMENT_LIMIT_MS,
      slowLimitMs: SLOW_STATEMENT_LIMIT_MS,
      formats: Array.from({ length: PER_CALLER_STATEMENTS }, () => new OpeningFormat(instanceId, schema)),
      callerOf: ({ userId }) => userId,
      onPerCaller: (error, rows) => metrics.observePerCaller(rows, isTimeout(error)),
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
    ...settings,
    ...(toJournal && { patienceMs: JOURNAL_AFTER_MS, rejectsAfterMs: JOURNALED_AFTER_MS, rescue: toJournal }),
    repair,
    enough,
    onWritten: metrics.observerOf('closed'),
    toCallerError: notClosed,
  });
  const unopened = new BatchWriter({
    // If a balance is locked, no call has to wait for this statement.
    pool: perCaller,
    format: jsonRows('delete-open-calls', DELETE_OPEN),
    ...settings,
    onWritten: metrics.observerOf('unopened'),
  });
  const replaying = new pg.Pool({
    ...at,
    ...connected(schema, limit),
    idleTimeoutMillis: SPARE_IDLE_MS,
    application_name: 'gateway journal',
  });
  const replayed = new BatchWriter<ClosedCall>({
    pool: replaying,
    format: new ClosingFormat(instanceId, schema),
    ...settings,
    repair,
    onWritten: metrics.observerOf('replayed'),
  });
  opening.on('error', (error) => open.suspect(error));
  closing.on('error', (error) => closed.suspect(error));
  // The next statement reports the error.
  perCaller.on('error', () => undefined);
  replaying.on('error', () => undefined);
  return {
    pools: [opening, closing, perCaller, replaying],
    connectedAtStart: [opening, closing, perCaller, perCaller],
    open,
    closed,
    unopened,
    replayed,
  };
}

/** Connects first, as the first statements need the types that are read then. Failures show when the writers start. */
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
