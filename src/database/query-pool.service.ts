import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from './database.service.js';

const EVERY_MS = 1000;

/** Watches the connections for ordinary queries, as the ledger's writers watch theirs: with an empty statement a second. */
@Injectable()
export class QueryPoolService {
  private timer: NodeJS.Timeout | undefined;
  private isAsking = false;
  /** When it was asked first without an answer since; null: it has answered. */
  private waitingSince: number | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.ask(), EVERY_MS).unref();
    });
  }

  /** How long a query that came now would have waited by what is known, in ms. */
  get delayMs(): number {
    return this.waitingSince === null ? 0 : performance.now() - this.waitingSince;
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    this.waitingSince ??= performance.now();
    try {
      await this.dataSource.query('SELECT');
      this.waitingSince = null;
    } catch {
      // It waits on; who asks for something tells the log what is wrong.
    } finally {
      this.isAsking = false;
    }
  }
}
