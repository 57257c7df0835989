import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from './database.service.js';

const EVERY_MS = 1000;

/** Checks the pool of ordinary queries with an empty statement every second. */
@Injectable()
export class QueryPoolService {
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;
  /** The time of the first unanswered check; null: the last check was answered. */
  private waitingSince: number | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.ask(), EVERY_MS).unref();
    });
  }

  /** How long a new query would probably wait, in ms. */
  get delayMs(): number {
    return this.waitingSince === null ? 0 : performance.now() - this.waitingSince;
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async ask(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    this.waitingSince ??= performance.now();
    try {
      await this.dataSource.query('SELECT');
      this.waitingSince = null;
    } catch {
      // The failing queries themselves are logged.
    } finally {
      this.isChecking = false;
    }
  }
}
