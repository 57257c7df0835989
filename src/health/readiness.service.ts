import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';
import { UsageLedgerService } from '../usage/ledger/usage-ledger.service.js';

/** Whether new calls should be sent here. */
@Injectable()
export class ReadinessService {
  private draining = false;

  constructor(
    private readonly database: DatabaseService,
    private readonly ledger: UsageLedgerService,
  ) {}

  /** From now on not ready: this process is about to end. */
  drain(): void {
    this.draining = true;
  }

  /** Null when ready, else the reason. Asks nobody: the ledger's writers know how they fare. */
  reasonAgainst(): string | null {
    if (this.draining) return 'The gateway is shutting down.';
    if (!this.database.isStarted) return 'The database is not available.';
    return this.ledger.isWritable ? null : 'The usage ledger cannot be written in time.';
  }
}
