import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ClockService } from '../database/clock.service.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import { TalliedCounter, type Tally } from '../telemetry/tallies.js';

/** What a guard found in a request or its answer, and what was done; never the text. */
export interface GuardHit {
  readonly guard: string;
  /** For example `payment_card`. */
  readonly kind: string;
  /** `block`, `mask` or `report`. */
  readonly action: string;
  /** `request` or `answer`. */
  readonly side: string;
  readonly count: number;
}

interface StoredHit extends GuardHit {
  readonly at: number;
  readonly requestId: string;
  readonly userId: string;
}

const FLUSH_MS = 1000;
const MAX_WAITING = 20_000;
const DAYS = 30;

/** What guards found, as it is stored. */
@Injectable()
export class GuardReportService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  of(requestId: string): Promise<GuardHit[]> {
    return this.dataSource.query(
      'SELECT guard, kind, action, side, count FROM guard_hits WHERE request_id = $1 ORDER BY id',
      [requestId],
    );
  }

  /** By guard, kind, action and side, in the last 30 days. */
  recent(): Promise<GuardHit[]> {
    return this.dataSource.query(
      `SELECT guard, kind, action, side, sum(count)::int AS count FROM guard_hits
       WHERE at > now() - interval '${DAYS} days' GROUP BY guard, kind, action, side ORDER BY guard, count DESC, kind`,
    );
  }
}

/** Counts what guards found in metrics, and stores it for each request every second. */
@Injectable()
export class GuardHitsService {
  private readonly logger = new Logger('GuardHits');
  private readonly counter: TalliedCounter<'guard' | 'action' | 'on'>;
  private readonly tallies = new Map<string, Tally>();
  private waiting: StoredHit[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
    database: DatabaseService,
    metrics: MetricsService,
  ) {
    const help = 'What guards found in requests and answers, by what was done about it: block, mask or report.';
    this.counter = new TalliedCounter(metrics.registry, 'gateway_guard_actions_total', help, ['guard', 'action', 'on']);
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer) await this.flush();
  }

  record(requestId: string, userId: string, hits: readonly GuardHit[]): void {
    const at = this.clock.now();
    for (const hit of hits) {
      this.tallyOf(hit).value += hit.count;
      if (this.waiting.length < MAX_WAITING) this.waiting.push({ ...hit, at, requestId, userId });
    }
  }

  private tallyOf({ guard, action, side }: GuardHit): Tally {
    const key = `${guard} ${action} ${side}`;
    const known = this.tallies.get(key);
    if (known) return known;
    const tally = this.counter.child({ guard, action, on: side });
    this.tallies.set(key, tally);
    return tally;
  }

  /** Hits that cannot be written are kept for the next time. */
  private async flush(): Promise<void> {
    if (this.waiting.length === 0) return;
    const { waiting } = this;
    this.waiting = [];
    try {
      await this.dataSource.query(
        `INSERT INTO guard_hits (at, request_id, user_id, guard, kind, action, side, count)
         SELECT to_timestamp(at / 1000.0), "requestId", "userId", guard, kind, action, side, count
         FROM json_to_recordset($1::json) AS hit (at float8, "requestId" text, "userId" uuid, guard text, kind text,
           action text, side text, count int)`,
        [JSON.stringify(waiting)],
      );
    } catch (error) {
      logFailure(this.logger, 'What guards found could not be written', error);
      this.waiting = [...waiting, ...this.waiting].slice(0, MAX_WAITING);
    }
  }
}
