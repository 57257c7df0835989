import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { serviceUnavailable } from '../../common/gateway.errors.js';
import { SessionService } from '../../database/session.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { ActiveCallsService } from './active-calls.service.js';

const LOOK_BACK = '1 day';
const RETRY_MS = 1000;

/**
 * Ends calls in progress that another gateway closed as interrupted while this process was frozen or cut off from the
 * database. Their limits have been released, so other calls may use them. Runs once this process has its lock again,
 * as no other process closes its calls from then on.
 */
@Injectable()
export class LostCallsService {
  private readonly logger = new Logger('LostCalls');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly active: ActiveCallsService,
    session: SessionService,
  ) {
    session.regained.subscribe(() => void this.look());
  }

  private async look(): Promise<void> {
    const { ids } = this.active;
    if (ids.length === 0) return;
    try {
      const lost: { id: string }[] = await this.dataSource.query(
        `SELECT id FROM usage_calls
         WHERE id = ANY ($1) AND started_at > now() - $2::interval AND status = 'interrupted'`,
        [ids, LOOK_BACK],
      );
      const count = this.active.fail(new Set(lost.map(({ id }) => id)), serviceUnavailable(REASON));
      if (count > 0) this.logger.warn(`${count} calls were ended: this process did not respond for too long.`);
    } catch (error) {
      logFailure(this.logger, 'The check for lost calls failed', error);
      setTimeout(() => void this.look(), RETRY_MS).unref();
    }
  }
}

const REASON = 'The gateway lost its connection to the database for too long and ended this call. Please try again.';
