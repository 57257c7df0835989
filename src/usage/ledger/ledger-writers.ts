import pg from 'pg';
import { type PgConnection, withSettings } from '../../database/database.server.js';
import type { LedgerMetricsService } from '../../telemetry/metrics/ledger-metrics.service.js';
import type { ClosedCall, OpenCall } from '../usage.types.js';
import type { Admission } from './admission.types.js';
import { jsonRows } from './batch-format.js';
import { BatchWriter } from './batch-writer.js';
import { ClosingFormat } from './closing.format.js';
import { isWithoutPartition, LedgerSchema } from './ledger-schema.js';
import { OpeningFormat } from './opening.format.js';
import { DELETE_OPEN } from './usage-statements.js';

const STATEMENT_LIMIT_MS = 5000;
const CONNECT_LIMIT_MS = 2000;
const LONGEST_CONNECTION_S = 24 * 3600;
/** After this no statement runs any more on a connection that was given up. */
export const LONGEST_STATEMENT_MS = STATEMENT_LIMIT_MS + 1000;

/** How long a new call waits for its row. */
export const OPENING_LIMIT_MS = 2000;
/** How long a call that has ended waits for its row: its answer was paid for. */
export const CLOSING_LIMIT_MS = 10_000;
/** New calls are refused at once when none could be opened for so long. */
const REFUSED_AFTER_MS = 10_000;
/** Each waits with its request's body. */
const MOST_OPENING = 10_000;
/** About 70 MB. */
const MOST_CLOSED = 100_000;

export interface LedgerWriters {
  pools: pg.Pool[];
  open: BatchWriter<OpenCall, Admission | null>;
  closed: BatchWriter<ClosedCall>;
  /** Takes back open rows; given ids as JSON strings. */
  unopened: BatchWriter<string>;
}

/** The calls that have begun and not ended. */
export interface LedgerLoad {
  underWay: number;
}

export interface LedgerEvents {
  /** A statement failed; it is tried again. */
  onFailure(error: unknown): void;
  /** Makes partitions of the ledger for the months of these dates. */
  makePartitions(dates: readonly Date[]): Promise<void>;
  /** Both make of it what who waits is told. */
  notOpened(error: unknown, call: OpenCall): Error;
  notClosed(error: unknown, call: ClosedCall): Error;
}

/** Two connections, so that neither those who begin nor those who end wait for the others. */
export function ledgerWriters(
  connection: PgConnection,
  instanceId: string,
  metrics: LedgerMetricsService,
  { onFailure, makePartitions, notOpened, notClosed }: LedgerEvents,
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
  const opening = new pg.Pool({
    ...at,
    ...connected(schema, { ...limit, synchronous_commit: 'off' }),
    application_name: 'gateway open calls',
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
  });
  const closed = new BatchWriter<ClosedCall>({
    pool: closing,
    format: new ClosingFormat(instanceId, schema),
    ...kept,
    isMended,
    enough,
    onWritten: metrics.observerOf('closed'),
    toTold: notClosed,
  });
  const unopened = new BatchWriter({
    pool: opening,
    format: jsonRows('delete-open-calls', DELETE_OPEN),
    ...kept,
    onWritten: metrics.observerOf('unopened'),
  });
  opening.on('error', (error) => open.suspect(error));
  closing.on('error', (error) => closed.suspect(error));
  return { pools: [opening, closing], open, closed, unopened };
}

/** They look whether they can write. The first statement needs what its connection tells; where none is had, they see it. */
export async function startWatching({ pools, open, closed }: LedgerWriters): Promise<void> {
  await Promise.allSettled(pools.map(async (pool) => (await pool.connect()).release()));
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
