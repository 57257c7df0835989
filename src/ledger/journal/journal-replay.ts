import type { Logger } from '@nestjs/common';
import type { LedgerMetricsService } from '../../telemetry/ledger-metrics.service.js';
import { NotWrittenError } from '../batches/batch.js';
import type { BatchWriter } from '../batches/batch-writer.js';
import type { ClosedCall } from '../call-record.types.js';
import type { InstanceService } from '../instance.service.js';
import { toUnrecordable } from '../rows/usage-rows.js';
import type { CallJournal, JournalFolder, NamedFile, SealedFile } from './call-journal.js';
import { ledgerOfFile, readJournal } from './journal-record.js';

export interface ReplayParts {
  readonly journal: CallJournal;
  readonly folder: JournalFolder;
  readonly instance: InstanceService;
  readonly ledgerId: string;
  readonly writer: BatchWriter<ClosedCall>;
  readonly logger: Logger;
  readonly metrics: LedgerMetricsService;
}

const MAX_AT_ONCE = 500;

/**
 * Writes the calls of the journal to the ledger and removes the files. Replaying a file twice, after a process was
 * killed before removing it, changes nothing: closed rows stay as they are.
 */
export class JournalReplay {
  constructor(private readonly parts: ReplayParts) {}

  async replayOwn(): Promise<void> {
    for (const file of await this.parts.journal.seal()) await this.replayIfThere(file);
  }

  async replayOthers(): Promise<void> {
    const { folder, journal } = this.parts;
    for (const file of await folder.files()) {
      if (!(await this.isLeft(file))) continue;
      const own = await journal.takeOver(file.path);
      if (own) await this.replayIfThere(own);
    }
  }

  private async isLeft({ path, instanceId }: NamedFile): Promise<boolean> {
    const { parts } = this;
    if (instanceId === parts.instance.id) return false;
    const ledgerId = await ledgerOfFile(path).catch(() => null);
    return ledgerId === parts.ledgerId && (await parts.instance.isGone(instanceId));
  }

  /** Another process may have taken over the file. */
  private async replayIfThere(file: SealedFile): Promise<void> {
    try {
      await this.replay(file);
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || syscall !== 'open') throw error;
      await this.parts.journal.remove(file);
    }
  }

  private async replay(file: SealedFile): Promise<void> {
    const { journal, logger, metrics } = this.parts;
    let batch: ClosedCall[] = [];
    const read = await readJournal(file.path, (call) => {
      if (batch.push(call) < MAX_AT_ONCE) return undefined;
      const full = batch;
      batch = [];
      return this.writeAll(full);
    });
    await this.writeAll(batch);
    await journal.remove(file);
    metrics.replayed(read.calls);
    if (read.calls > 0) logger.log(`${read.calls} calls of the journal were written to the usage ledger.`);
    if (read.damaged > 0) logger.error(`${read.damaged} calls of the journal are lost: their lines are damaged.`);
  }

  private async writeAll(calls: readonly ClosedCall[]): Promise<void> {
    await Promise.all(calls.map((call) => this.write(call)));
  }

  private async write(call: ClosedCall): Promise<void> {
    const { writer, logger } = this.parts;
    for (const row of [call, toUnrecordable(call)]) {
      try {
        await writer.write(row);
        return;
      } catch (error) {
        if (error instanceof NotWrittenError) throw error;
        logger.error(`The database rejected a call of the journal: ${(error as Error).message}`, {
          call: call.id,
        });
      }
    }
  }
}
