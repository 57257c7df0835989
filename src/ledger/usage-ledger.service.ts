import { Injectable, Logger } from '@nestjs/common';
import { serviceUnavailable } from '../common/gateway.error.js';
import { DatabaseServer } from '../database/database.server.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { LedgerMetricsService } from '../telemetry/ledger-metrics.service.js';
import { NotWrittenError, type Waiter } from './batches/batch.js';
import type { Admission, ClosedCall, OpenCall } from './call-record.types.js';
import { FutureBalancesService } from './future-balances.service.js';
import { InstanceService } from './instance.service.js';
import { JournalService } from './journal/journal.service.js';
import {
  CLOSING_LIMIT_MS,
  JOURNAL_AFTER_MS,
  type LedgerEvents,
  type LedgerLoad,
  type LedgerWriters,
  ledgerWriters,
  MAX_STATEMENT_MS,
  OPENING_LIMIT_MS,
  startWatching,
} from './ledger-writers.js';
import { toUnrecordable, UNDELIVERED } from './rows/usage-rows.js';
import { UsagePartitionsService } from './usage-partitions.service.js';

const LAST_WRITES_MS = 10_000;

/**
 * One row for each accepted call: `open` before the upstream is called, closed before the client sees the end. Both
 * writes are awaited and batched, and survive outages of the database. Open rows are not flushed to disk, as they only
 * need to outlive this process.
 */
@Injectable()
export class UsageLedgerService {
  /** How long an ended call may wait for its row, in ms. */
  readonly closingLimitMs = CLOSING_LIMIT_MS;
  private readonly logger = new Logger('UsageLedger');
  private readonly load: LedgerLoad = { underWay: 0 };
  private writers: LedgerWriters | undefined;
  /** Calls that were refused because their INSERT took too long. It may still commit, so the rows are deleted later. */
  private readonly toDelete = new Set<string>();

  constructor(
    private readonly server: DatabaseServer,
    private readonly instance: InstanceService,
    private readonly metrics: LedgerMetricsService,
    private readonly partitions: UsagePartitionsService,
    private readonly futures: FutureBalancesService,
    private readonly journal: JournalService,
    database: DatabaseService,
  ) {
    database.beforeReady(() => this.connect());
  }

  get isWritable(): boolean {
    if (!this.writers) return false;
    const { open, closed } = this.writers;
    return Math.max(open.delayMs, closed.delayMs) < OPENING_LIMIT_MS;
  }

  /** How long the database has been unavailable, in ms; null: available, or failing for another reason. */
  get unavailableMs(): number | null {
    const since = this.writers?.open.unavailableSince ?? null;
    return since === null ? null : performance.now() - since;
  }

  /** The number of callers whose statements timed out recently. */
  get slowCallers(): number {
    return this.writers?.open.slowCallers ?? 0;
  }

  /**
   * Rejects with a 503 if the row cannot be stored in time; the upstream must not be called then. Calls that a limit
   * refuses have no row.
   */
  open(call: OpenCall): Promise<Admission | null> {
    // SQL: rows/usage-statements.ts, through rows/row.formats.ts.
    const opened = this.connected().open.write(call);
    this.load.underWay++;
    // Only limited calls need a decision.
    return call.admissionRequest === null ? opened : opened.then((admission) => this.decided(admission));
  }

  beginUnopened(): void {
    this.load.underWay++;
  }

  /**
   * Resolves when the row or its journal entry is stored. Rejects with a 503 when neither is possible in time; the row
   * is then kept in memory, marked as undelivered.
   */
  close(call: ClosedCall): Promise<void> {
    // SQL: rows/usage-statements.ts, through rows/row.formats.ts.
    const closed = this.connected().closed.write(call);
    const onEnded = () => {
      this.load.underWay--;
    };
    closed.then(onEnded, onEnded);
    return closed;
  }

  /** Marks the row of a closed call whose client disconnected before the end of the answer. */
  keepUndelivered(call: ClosedCall): void {
    const undelivered = call.status === 'settled' ? { ...call, errorCode: UNDELIVERED } : call;
    const { closed } = this.connected();
    const keep = () => {
      if (!closed.keep(undelivered)) logFailure(this.logger, 'A call is lost', new Error('too many rows are waiting'));
    };
    if (this.journal.isUsable && closed.delayMs > CLOSING_LIMIT_MS) this.journal.keep(undelivered).catch(keep);
    else keep();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (!this.writers) return;
    const { open, closed, unopened, replayed } = this.writers;
    for (const id of this.toDelete) unopened.keep(JSON.stringify(id));
    const limit = new Promise((resolve) => setTimeout(resolve, LAST_WRITES_MS).unref());
    // Includes the journal, whose folder may not outlive this process.
    const ended = closed.flush().then(() => this.journal.flush());
    await Promise.race([limit, Promise.all([open.flush(), ended, unopened.flush()])]);
    for (const writer of [open, unopened]) writer.stop();
    await this.keepLeft(closed.stop());
    await this.journal.stop();
    replayed.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all((this.writers?.pools ?? []).map((pool) => pool.end()));
  }

  private async connect(): Promise<void> {
    const onFailure = (error: unknown) => logFailure(this.logger, 'The usage ledger cannot be written', error);
    await this.journal.open();
    const address = await this.server.sessionConnection();
    const at = { ...address, ...this.server.direct.optionsFor(address) };
    const events: LedgerEvents = {
      onFailure,
      onSlowCaller: (error, user, calls) => {
        logFailure(this.logger, 'Calls of a user cannot be opened in time; others are not delayed', error, { user });
        this.futures.correct(calls.flatMap(({ admissionRequest }) => admissionRequest?.balances ?? []));
      },
      makePartitions: (dates) => this.partitions.create(dates),
      notOpened: (error, call) => this.notOpened(error, call),
      notClosed: (error, call) => this.notClosed(error, call),
      ...(this.journal.isUsable && { toJournal: this.toJournal }),
    };
    const writers = ledgerWriters(at, this.instance.id, this.metrics, events, this.load);
    await startWatching(writers);
    this.writers = writers;
    await this.journal.startReplay(writers.replayed, () => this.isWritable);
  }

  private connected(): LedgerWriters {
    if (!this.writers) throw new Error('the database is not connected yet');
    return this.writers;
  }

  private decided(admission: Admission | null): Admission | null {
    if (admission?.isAdmitted === false) this.load.underWay--;
    return admission;
  }

  private notOpened(error: unknown, call: OpenCall): Error {
    this.load.underWay--;
    if (error instanceof NotWrittenError && error.mayBeStored) this.deleteLater(call.id);
    return this.unavailable(error, call);
  }

  private notClosed(error: unknown, call: ClosedCall): Error {
    if (error instanceof NotWrittenError) this.keepUndelivered(call);
    else this.connected().closed.keep(toUnrecordable(call));
    return this.unavailable(error, call);
  }

  /** The answer is sent once its call is in the journal. If that fails, the row waits as long as without a journal. */
  private readonly toJournal = (call: ClosedCall, waiter: Waiter<void>, error: NotWrittenError): void => {
    waiter.until ??= performance.now() + CLOSING_LIMIT_MS - JOURNAL_AFTER_MS;
    this.journal.keep(call).then(waiter.resolve, (fault) => {
      logFailure(this.logger, 'A call could not be written to the journal', fault);
      this.connected().closed.retry(call, waiter, error);
    });
  };

  private async keepLeft(calls: readonly ClosedCall[]): Promise<void> {
    const stored = await Promise.allSettled(calls.map((call) => this.journal.keep(call)));
    const lost = stored.filter(({ status }) => status === 'rejected').length;
    if (lost > 0) this.logger.error(`${lost} closed calls could not be written.`);
  }

  /** Waits until no INSERT can still be running, then deletes the row. */
  private deleteLater(id: string): void {
    this.toDelete.add(id);
    setTimeout(() => {
      this.toDelete.delete(id);
      this.connected().unopened.keep(JSON.stringify(id));
    }, MAX_STATEMENT_MS).unref();
  }

  private unavailable(error: unknown, { id, requestId }: OpenCall): Error {
    const cause = error instanceof NotWrittenError ? (error.cause ?? error) : error;
    logFailure(this.logger, 'A call cannot be written to the usage ledger', cause, { requestId, call: id });
    return serviceUnavailable('The usage ledger cannot be written at the moment. Please try again.');
  }
}
