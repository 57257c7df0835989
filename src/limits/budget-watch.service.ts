import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AlertsService } from '../alerts/alerts.service.js';
import { chatText } from '../common/chat-text.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { CROSSINGS, type Crossing, toAlert } from './budget-crossings.js';
import { BudgetRefusalsService } from './budget-refusals.service.js';
import { LimitsService, type OverCeiling, type UsedUp } from './limits.service.js';

const LOOK_MS = 5000;

@Injectable()
export class BudgetWatchService {
  private readonly logger = new Logger('Budgets');
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly alerts: AlertsService,
    private readonly refusals: BudgetRefusalsService,
    limits: LimitsService,
    database: DatabaseService,
  ) {
    limits.overCeiling.subscribe((event) => this.alertOverCeiling(event));
    limits.usedUp.subscribe((budget) => void this.noteUsedUp(budget));
    database.beforeReadyInFirst(async () => {
      this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
  }

  private look(): void {
    this.looking ??= this.alertCrossings(null).finally(() => {
      this.looking = null;
    });
  }

  private async noteUsedUp(budget: UsedUp): Promise<void> {
    try {
      await this.refusals.note(budget);
    } catch (error) {
      logFailure(this.logger, 'The refusal of a budget could not be stored', error);
    }
    await this.alertCrossings(budget);
  }

  private async alertCrossings(usedUp: UsedUp | null): Promise<void> {
    try {
      const one = [usedUp?.id ?? null, usedUp?.period ?? null];
      const crossings: Crossing[] = await this.dataSource.query(CROSSINGS, one);
      for (const crossing of crossings) this.alerts.alert(toAlert(crossing));
    } catch (error) {
      logFailure(this.logger, 'Budgets could not be checked', error);
    }
  }

  /** At most once an hour for each upstream, as an upstream that exceeds a ceiling usually does so repeatedly. */
  private alertOverCeiling({ upstream, requestId, at }: OverCeiling): void {
    const subject = upstream ?? 'simulator';
    this.alerts.alert({
      type: 'over_ceiling',
      subject,
      text: chatText`A call to ${subject} cost more than was reserved for it and was charged in full, so its budget may be exceeded: see request ${requestId}.`,
      topic: `over_ceiling:${subject}:${at.toISOString().slice(0, 13)}`,
    });
  }
}
