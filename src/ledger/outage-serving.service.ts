import { Injectable, Logger } from '@nestjs/common';
import { InjectSettings, type Settings } from '../config/settings.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import type { ClosedCall, OpenCall } from './call-record.types.js';
import { JournalService } from './journal/journal.service.js';
import { UsageLedgerService } from './usage-ledger.service.js';

const LOOK_MS = 1000;
const NANODOLLARS = 1_000_000_000;

/**
 * Admits calls without a row while the database is unavailable, if `whenDatabaseIsAway.do` is `serve`, up to a time and
 * an amount of money per process. Their rows are written at the end through the journal. Limits do not apply to them.
 */
@Injectable()
export class OutageServingService {
  private readonly logger = new Logger('OutageServing');
  private readonly settings: Settings['whenDatabaseIsAway'];
  private readonly mostNanodollars: bigint;
  /** The maximum cost of each call in progress, by id. */
  private readonly reserved = new Map<string, bigint>();
  private reservedSum = 0n;
  /** The cost of this outage's ended calls. */
  private spent = 0n;
  private calls = 0;
  private hasLoggedEnd = false;
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: UsageLedgerService,
    private readonly journal: JournalService,
    metrics: MetricsService,
    @InjectSettings() { whenDatabaseIsAway }: Settings,
  ) {
    this.settings = whenDatabaseIsAway;
    this.mostNanodollars = BigInt(Math.round(whenDatabaseIsAway.upToUsd * NANODOLLARS));
    metrics.gauge('gateway_serving_without_database', '1 while calls are served without the database.', () =>
      this.isOn ? 1 : 0,
    );
  }

  get isOn(): boolean {
    if (this.settings.do !== 'serve' || !this.journal.hasRoom) return false;
    const { unavailableMs } = this.ledger;
    return unavailableMs !== null && unavailableMs < this.settings.forAtMost && this.used < this.mostNanodollars;
  }

  /** Whether to admit a call whose row could not be opened. `mostCost`: its maximum cost in nano-dollars. */
  admit({ id }: OpenCall, mostCost: () => bigint): boolean {
    const cost = this.isOn ? mostCost() : null;
    if (cost === null || this.used + cost > this.mostNanodollars) {
      this.logEnd();
      return false;
    }
    this.begin();
    this.reserved.set(id, cost);
    this.reservedSum += cost;
    this.calls++;
    this.ledger.beginUnopened();
    return true;
  }

  ended({ id, costNanodollars }: ClosedCall): void {
    const cost = this.reserved.size === 0 ? undefined : this.reserved.get(id);
    if (cost === undefined) return;
    this.reserved.delete(id);
    this.reservedSum -= cost;
    this.spent += costNanodollars;
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.watch);
  }

  private get used(): bigint {
    return this.spent + this.reservedSum;
  }

  private begin(): void {
    if (this.watch !== undefined) return;
    this.spent = 0n;
    this.calls = 0;
    this.hasLoggedEnd = false;
    const { forAtMost, upToUsd } = this.settings;
    this.logger.error(
      `The database is unavailable: calls of known callers are served without it and without limits, for at most ${forAtMost / 1000} s and ${upToUsd} dollars.`,
    );
    this.watch = setInterval(() => this.look(), LOOK_MS).unref();
  }

  private logEnd(): void {
    if (this.watch === undefined || this.hasLoggedEnd || this.ledger.unavailableMs === null) return;
    this.hasLoggedEnd = true;
    this.logger.error(
      'The database is still unavailable: new calls are refused, as a limit of whenDatabaseIsAway is reached.',
    );
  }

  private look(): void {
    if (this.ledger.unavailableMs !== null) {
      if (!this.isOn) this.logEnd();
      return;
    }
    clearInterval(this.watch);
    this.watch = undefined;
    this.logger.warn(`The database is back: ${this.calls} calls were served without it.`);
  }
}
