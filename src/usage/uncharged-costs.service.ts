import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ClockService } from '../database/clock.service.js';
import { DatabaseService } from '../database/database.service.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { type EndedCall, eachUncharged, type UnchargedReason } from '../telemetry/call-metrics.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { toPastSlots } from './reports/usage-calendar.js';
import { UsageReading } from './reports/usage-reading.js';
import { slotOf } from './rollups/usage-pieces.js';
import type { UsageCallFilter } from './usage.types.js';

const FLUSH_MS = 2000;
const MAX_SUMS = 10_000;

interface Sum {
  readonly slot: number;
  readonly model: string;
  readonly reason: UnchargedReason;
  nanodollars: number;
}

/** Adds up estimated costs that upstreams may bill but no caller is charged for. Written every two seconds. */
@Injectable()
export class UnchargedCostsService {
  private readonly logger = new Logger('UnchargedCosts');
  private sums = new Map<string, Sum>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer) await this.flush();
  }

  note(call: EndedCall): void {
    eachUncharged(call, this.add);
  }

  /** Nano-dollars in a time range. `models`: empty for all. */
  async between(from: Date, to: Date, models: readonly string[] = []): Promise<bigint> {
    const span = toPastSlots(from, to, this.clock.date());
    const [{ sum }]: [{ sum: string }] = await this.dataSource.query(
      `SELECT coalesce(sum(nanodollars), 0)::text AS sum FROM uncharged_costs
       WHERE slot >= $1 AND slot < $2 AND ($3::text[] = '{}' OR model = ANY($3::text[]))`,
      [span.from, span.to, models],
    );
    return BigInt(sum);
  }

  private readonly add = ({ model }: EndedCall, reason: UnchargedReason, nanodollars: number): void => {
    this.addSum({ slot: slotOf(this.clock.date()), model, reason, nanodollars });
  };

  private addSum(sum: Sum): void {
    const key = `${sum.slot} ${sum.reason} ${sum.model}`;
    const known = this.sums.get(key);
    if (known) known.nanodollars += sum.nanodollars;
    else if (this.sums.size < MAX_SUMS) this.sums.set(key, sum);
  }

  /** Sums that cannot be written are kept for the next time. */
  private async flush(): Promise<void> {
    if (this.sums.size === 0) return;
    const sums = [...this.sums.values()];
    this.sums = new Map();
    try {
      await this.dataSource.query(
        `INSERT INTO uncharged_costs (slot, model, reason, nanodollars)
         SELECT slot, model, reason, nanodollars FROM json_to_recordset($1::json)
           AS row (slot int, model text, reason text, nanodollars bigint)
         ORDER BY slot, model, reason
         ON CONFLICT (slot, model, reason)
           DO UPDATE SET nanodollars = uncharged_costs.nanodollars + excluded.nanodollars`,
        [JSON.stringify(sums)],
      );
    } catch (error) {
      logFailure(this.logger, 'Uncharged costs could not be written', error);
      for (const sum of sums) this.addSum(sum);
    }
  }
}

/** Calls with another status are free in any case. */
const CHARGED = ['settled', 'aborted'];

/** Counts calls that are missing from costs because their models have no price. */
@Injectable()
export class UnpricedCallsService {
  constructor(
    private readonly database: ReportReaderService,
    private readonly clock: ClockService,
  ) {}

  /**
   * `models`: the models that have no price now. Calls count by the requested model. Calls without an upstream were
   * simulated and free.
   */
  async count({ from, to, ...filter }: UsageCallFilter, models: readonly string[]): Promise<number> {
    const question = { ...filter, models: within(models, filter.models), statuses: within(CHARGED, filter.statuses) };
    const span = toPastSlots(from, to, this.clock.date());
    if (question.models.length === 0 || question.statuses.length === 0 || span.from === span.to) return 0;
    const cells = { starts: [span.from], end: span.to };
    const sums = await UsageReading.of(this.database, span, question, (reading) =>
      reading.sums({ ...question, groupBy: 'upstream', cells }),
    );
    return sums.reduce((count, { name, sign, calls }) => count + (name === null ? 0 : sign * Number(calls)), 0);
  }
}

/** The values that the filter allows; an empty filter allows all. */
function within(values: readonly string[], filter: readonly string[] = []): readonly string[] {
  return filter.length === 0 ? values : values.filter((value) => filter.includes(value));
}
