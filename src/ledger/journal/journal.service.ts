import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { LedgerMetricsService } from '../../telemetry/ledger-metrics.service.js';
import type { BatchWriter } from '../batches/batch-writer.js';
import type { ClosedCall } from '../call-record.types.js';
import { InstanceService } from '../instance.service.js';
import { CallJournal, JournalFolder } from './call-journal.js';
import { JournalReplay } from './journal-replay.js';

const OWN_MS = 1000;
const OTHERS_MS = 5000;
const FLUSH_MS = 50;
const START_LIMIT_MS = 10_000;

/**
 * Stores ended calls in the data folder while the database cannot take their rows, and writes them to the ledger
 * afterwards, including those of processes that have ended.
 */
@Injectable()
export class JournalService {
  private readonly logger = new Logger('LedgerJournal');
  private readonly folder: JournalFolder;
  private journal: CallJournal | null = null;
  private replay: JournalReplay | null = null;
  private timers: NodeJS.Timeout[] = [];
  private running: Promise<void> | undefined;
  private isKeeping = false;
  private isStopped = false;
  private isWritable = () => false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly instance: InstanceService,
    private readonly metrics: LedgerMetricsService,
    @InjectSettings() settings: Settings,
  ) {
    this.folder = new JournalFolder(settings.dataDir);
  }

  get isUsable(): boolean {
    return this.journal !== null;
  }

  get hasRoom(): boolean {
    return this.journal?.hasRoom ?? false;
  }

  /** Call it when the schema is ready. Without a writable folder there is no journal. */
  async open(): Promise<void> {
    try {
      await this.folder.open();
    } catch (error) {
      this.logger.warn(
        `There is no journal: ${(error as Error).message}. If the database is unavailable for more than 10 s, ended calls get an error, and no calls are served during an outage.`,
      );
      return;
    }
    this.journal = new CallJournal(this.folder, this.instance.id, await this.ledgerId());
    this.metrics.watchJournal(() => this.journal?.calls ?? 0);
  }

  /** `isWritable`: whether the ledger can be written at the moment. */
  async startReplay(writer: BatchWriter<ClosedCall>, isWritable: () => boolean): Promise<void> {
    const { journal, folder, instance, logger, metrics } = this;
    if (journal === null) return;
    this.isWritable = isWritable;
    const ledgerId = await this.ledgerId();
    this.replay = new JournalReplay({ journal, folder, instance, ledgerId, writer, logger, metrics });
    const limit = new Promise<void>((resolve) => setTimeout(resolve, START_LIMIT_MS).unref());
    await Promise.race([limit, this.replayOthers()]);
    this.timers = [
      setInterval(() => void this.replayOwn(), OWN_MS).unref(),
      setInterval(() => void (isWritable() && this.replayOthers()), OTHERS_MS).unref(),
    ];
  }

  /** Resolves when the call is on disk; rejects when it cannot be stored. */
  async keep(call: ClosedCall): Promise<void> {
    if (this.journal === null) throw new Error('there is no journal');
    await this.journal.append(call);
    this.metrics.journaled();
    if (this.isKeeping) return;
    this.isKeeping = true;
    this.logger.warn(`Finished calls are kept in ${this.folder.path} until the database accepts them.`);
  }

  /** Resolves when all of this process's calls are in the ledger, or after `stop`. */
  async flush(): Promise<void> {
    while (!this.isStopped && this.journal !== null && !this.journal.isEmpty) {
      await this.replayOwn();
      await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
    }
  }

  /** The next process writes the calls that are not in the ledger yet. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.running;
    await this.replayOwn();
    await this.journal?.seal();
  }

  private async ledgerId(): Promise<string> {
    const [{ id }] = await this.dataSource.query('SELECT ledger_id AS id FROM usage_rollup_state');
    return id;
  }

  private async replayOwn(): Promise<void> {
    if (this.journal === null || this.journal.isEmpty || !this.isWritable()) return;
    await this.run((replay) => replay.replayOwn());
    if (this.journal.isEmpty) this.isKeeping = false;
  }

  private replayOthers(): Promise<void> {
    return this.run((replay) => replay.replayOthers());
  }

  private async run(work: (replay: JournalReplay) => Promise<void>): Promise<void> {
    const { replay } = this;
    if (replay === null || this.running) return this.running;
    this.running = work(replay)
      .catch((error) => logFailure(this.logger, 'Calls of the journal could not be written to the ledger', error))
      .finally(() => {
        this.running = undefined;
      });
    await this.running;
  }
}
