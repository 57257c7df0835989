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
/** Calls of all callers wait for the statement that opens them. */
const OPENING_STATEMENT_LIMIT_MS = 500;
/** Statements for single callers that may run at the same time. */
const APART = 3;
/** Connections for them: one more, to take open rows back, and two that are always there. */
const APART_CONNECTIONS = { min: 2, max: APART + 1 };
/** For callers who alone were slow: within what their calls wait, with what they have waited before. */
const SLOW_STATEMENT_LIMIT_MS = 1500;
const APART_IDLE_MS = 10_000;
const CONNECT_LIMIT_MS = 2000;
const LONGEST_CONNECTION_S = 24 * 3600;
/** After this no statement runs any more on a connection that was given up. */
export const LONGEST_STATEMENT_MS = STATEMENT_LIMIT_MS + 1000;

/** How long a new call waits for its row. */
export const OPENING_LIMIT_MS = 2000;
/** How long a call that has ended waits for its row: its answer was paid for. */
export const CLOSING_LIMIT_MS = 10_000;
/** After so long its row is kept in the journal, where there is one: a statement that is only slow has ended by then. */
export const JOURNAL_AFTER_MS = 5000;
/** And at once when the statement has failed for so long. */
const JOURNALED_AFTER_MS = 2000;
/** New calls are refused at once when none could be opened for so long. */
const REFUSED_AFTER_MS = 10_000;
/** Each waits with its request's body. */
const MOST_OPENING = 10_000;
/** About 70 MB. */
const MOST_CLOSED = 100_000;

export interface LedgerWriters {
  pools: pg.Pool[];
  /** As often as they have connections from the start. */
  connectedAtStart: pg.Pool[];
  open: BatchWriter<OpenCall, Admission | null>;
  closed: BatchWriter<ClosedCall>;
  /** Takes back open rows; given ids as JSON strings. */
  unopened: BatchWriter<string>;
  /** Of calls that were kept in the journal: beside the others, so that they delay nobody. */
  replayed: BatchWriter<ClosedCall>;
}

/** The calls that have begun and not ended. */
export interface LedgerLoad {
  underWay: number;
}

export interface LedgerEvents {
  /** A statement failed; it is tried again. */
  onFailure(error: unknown): void;
  /** Opening calls of one caller is too slow; it is tried again. */
  onSlowCaller(error: unknown, userId: string, calls: readonly OpenCall[]): void;
  /** Makes partitions of the ledger for the months of these dates. */
  makePartitions(dates: readonly Date[]): Promise<void>;
  /** Both make of it what who waits is told. */
  notOpened(error: unknown, call: OpenCall): Error;
  notClosed(error: unknown, call: ClosedCall): Error;
  /** Keeps calls that ended and could not be written in time; without it there is no journal. */
  toJournal?: BatchWriterOptions<ClosedCall, void>['rescue'];
}

/**
 * Two connections, so that neither those who begin nor those who end wait for the others. A caller who would hold up all
 * that begin, since a balance is locked for instance, has statements of its own on further ones.
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
    // For a server that has gone silent; later than its own limit, which tells for sure that nothing was stored.
    query_timeout: LONGEST_STATEMENT_MS,
  };
  // Plans are kept while the tables grow: each row is found by its index from the first one on.
  const byIndex = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };
  // Nor is a statement planned anew for each batch.
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
  // While half of all calls are on their way, the other half is to be waited for with the next statement.
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
    toTold: notOpened,
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
    toTold: notClosed,
  });
  const unopened = new BatchWriter({
    // Where a balance may be locked no call waits behind it.
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
  // The next statement on a new connection tells.
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

/** They look whether they can write. The first statement needs what its connection tells; where none is had, they see it. */
export async function startWatching({ connectedAtStart, open, closed }: LedgerWriters): Promise<void> {
  const clients = await Promise.allSettled(connectedAtStart.map((pool) => pool.connect()));
  for (const client of clients) if (client.status === 'fulfilled') client.value.release();
  await Promise.all([open.startWatching(), closed.startWatching()]);
}

/** Each connection is set, and tells the types and tables of its server, before it is used. */
function connected(schema: LedgerSchema, settings: Record<string, string | number>): Pick<pg.PoolConfig, 'onConnect'> {
  const { onConnect } = withSettings(settings);
  return {
    onConnect: async (client) => {
      await onConnect?.(client);
      await schema.read(client);
    },
  };
}
