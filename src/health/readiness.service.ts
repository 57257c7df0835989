import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';

/** Whether new calls should be sent here. */
@Injectable()
export class ReadinessService {
  private draining = false;

  constructor(private readonly database: DatabaseService) {}

  /** From now on not ready: this process is about to end. */
  drain(): void {
    this.draining = true;
  }

  /** Null when ready, else the reason. */
  async reasonAgainst(): Promise<string | null> {
    if (this.draining) return 'The gateway is shutting down.';
    return (await this.database.answers()) ? null : 'The database is not available.';
  }
}
