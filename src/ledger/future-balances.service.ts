import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { logFailure } from '../telemetry/failure-log.js';
import type { LimitedBalance } from './call-record.types.js';

const CORRECT = `
  SELECT limit_present(ARRAY[id], limit_lock(ARRAY[id])) FROM limit_balances
  WHERE id = $1 AND (greatest(day, month) > (clock_timestamp() AT TIME ZONE 'UTC')::date OR furthest_day > day)`;

/**
 * Corrects balances with a date in the future, or that return to one, which result from a clock that was ahead. Usually the statement that
 * opens calls does this; this service handles callers with more calls than the statement can add up in time.
 */
@Injectable()
export class FutureBalancesService {
  private readonly logger = new Logger('FutureBalances');
  private readonly waiting = new Set<string>();
  private running: Promise<void> | undefined;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.waiting.clear();
    await this.running;
  }

  /** One after the other, in the background. Balances without such a date stay unchanged. */
  correct(balances: readonly LimitedBalance[]): void {
    for (const { id } of balances) this.waiting.add(id);
    this.running ??= this.work().finally(() => {
      this.running = undefined;
    });
  }

  private async work(): Promise<void> {
    for (const id of this.waiting) {
      try {
        await this.dataSource.query(CORRECT, [id]);
      } catch (error) {
        logFailure(this.logger, 'A balance with a date in the future could not be corrected', error, { balance: id });
      }
      this.waiting.delete(id);
    }
  }
}
