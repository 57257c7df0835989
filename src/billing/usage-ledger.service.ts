import { Injectable, Logger } from '@nestjs/common';
import pg from 'pg';
import { serviceUnavailable } from '../common/gateway.errors.js';
import { DatabaseServer, withSettings } from '../database/database.server.js';
import { DatabaseService } from '../database/database.service.js';
import { BatchWriter, isRowFault } from './batch-writer.js';
import { InstanceService } from './instance.service.js';
import type { ClosedCall, OpenCall } from './usage.types.js';
import { toClosedRow, toOpenRow } from './usage-rows.js';
import { DELETE_OPEN, INSERT_OPEN, UPSERT_CLOSED } from './usage-statements.js';

const STATEMENT_LIMIT_MS = 5000;
const RETRY_MS = 1000;
const RETRIED_AT_ONCE = 500;
const MAX_KEPT = 100_000;
/** How long a shutdown waits for a database that is away. */
const LAST_WRITES_MS = 5000;

interface Writers {
  pools: pg.Pool[];
  open: BatchWriter;
  closed: BatchWriter;
  /** Takes back open rows; given ids as JSON strings. */
  unopened: BatchWriter;
}

/**
 * One row for each accepted call: `open` before the upstream is called, closed before the client sees the end. Both are
 * awaited and batched. Open rows need no disk flush: they outlive this process, which is what they are for.
 */
@Injectable()
export class UsageLedgerService {
  private readonly logger = new Logger('UsageLedger');
  private writers: Writers | undefined;
  /** Closed rows that could not be written yet. */
  private readonly unwritten = new Set<string>();
  /** Calls whose open row may stand although they were refused, since nobody could say so. */
  private readonly unopened = new Set<string>();
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly server: DatabaseServer,
    private readonly instance: InstanceService,
    database: DatabaseService,
  ) {
    database.beforeReady(() => this.connect());
  }

  /** Rejects with a 503 when the row cannot be stored: then the upstream must not be called. */
  async open(call: OpenCall): Promise<void> {
    try {
      await this.connected().open.write(JSON.stringify(toOpenRow(call, this.instance.id)));
    } catch (error) {
      this.keep(this.unopened, JSON.stringify(call.id));
      throw this.unavailable(error, call);
    }
  }

  /** Rejects with a 503 when the row cannot be stored now; it is kept and tried again all the same. */
  async close(call: ClosedCall): Promise<void> {
    const row = JSON.stringify(toClosedRow(call, this.instance.id));
    try {
      await this.connected().closed.write(row);
    } catch (error) {
      if (!isRowFault(error)) this.keep(this.unwritten, row);
      throw this.unavailable(error, call);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.retry);
    if (!this.writers) return;
    await Promise.all([this.writers.open.flush(), this.writers.closed.flush()]);
    const limit = performance.now() + LAST_WRITES_MS;
    while (!(await this.writeKept()) && performance.now() < limit) await new Promise((wait) => setTimeout(wait, 100));
    if (this.unwritten.size > 0) this.logger.error(`${this.unwritten.size} closed calls could not be written.`);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.retry);
    await Promise.all((this.writers?.pools ?? []).map((pool) => pool.end()));
  }

  private async connect(): Promise<void> {
    const at = {
      ...(await this.server.sessionConnection()),
      max: 1,
      idleTimeoutMillis: 0,
      keepAlive: true,
      connectionTimeoutMillis: STATEMENT_LIMIT_MS,
      // For a server that has gone silent; later than its own limit, which tells for sure that nothing was stored.
      query_timeout: STATEMENT_LIMIT_MS + 1000,
    };
    const limit = { statement_timeout: STATEMENT_LIMIT_MS };
    const fast = withSettings({ ...limit, synchronous_commit: 'off' });
    const open = new pg.Pool({ ...at, ...fast, application_name: 'gateway open calls' });
    const closed = new pg.Pool({ ...at, ...withSettings(limit), application_name: 'gateway closed calls' });
    for (const pool of [open, closed])
      pool.on('error', (error) => this.logger.warn(`Connection lost: ${error.message}`));
    this.writers = {
      pools: [open, closed],
      open: new BatchWriter(open, 'insert-open-calls', INSERT_OPEN),
      closed: new BatchWriter(closed, 'upsert-closed-calls', UPSERT_CLOSED),
      unopened: new BatchWriter(open, 'delete-open-calls', DELETE_OPEN),
    };
  }

  private connected(): Writers {
    if (!this.writers) throw new Error('the database is not connected yet');
    return this.writers;
  }

  private unavailable(error: unknown, { id, requestId }: OpenCall): Error {
    this.logger.error(error, { requestId, call: id });
    return serviceUnavailable('The usage ledger cannot be written at the moment. Please try again.');
  }

  private keep(kept: Set<string>, row: string): void {
    if (kept.size >= MAX_KEPT) {
      this.logger.error('Too many calls wait to be written; one is lost.');
      return;
    }
    kept.add(row);
    this.retryLater();
  }

  private retryLater(): void {
    this.retry ??= setTimeout(async () => {
      const done = await this.writeKept();
      this.retry = undefined;
      if (!done) this.retryLater();
    }, RETRY_MS).unref();
  }

  /** Writes what was kept, a batch at a time, until it is done (true) or a batch fails again. */
  private async writeKept(): Promise<boolean> {
    if (!this.writers) return false;
    const { closed, unopened } = this.writers;
    return (await writeAll(this.unwritten, closed)) && (await writeAll(this.unopened, unopened));
  }
}

/** Takes what was written out of the set, and what Postgres refuses for good; false when something is left. */
async function writeAll(kept: Set<string>, writer: BatchWriter): Promise<boolean> {
  while (kept.size > 0) {
    const batch = [...kept].slice(0, RETRIED_AT_ONCE);
    const results = await Promise.allSettled(batch.map((row) => writer.write(row)));
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled' || isRowFault(result.reason)) kept.delete(batch[index] ?? '');
    }
    if (batch.some((row) => kept.has(row))) return false;
  }
  return true;
}
