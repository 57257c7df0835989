import { Injectable } from '@nestjs/common';
import type { Session } from '../../accounts/session.types.js';
import { ClockService } from '../../database/clock.service.js';
import { type ModelSpeed, ModelSpeedService } from '../../usage/reports/model-speed.service.js';
import type { UsageSums } from '../../usage/reports/usage-report.types.js';
import { UsageReportsService } from '../../usage/reports/usage-reports.service.js';
import { dayBefore } from '../shared/days.js';
import type { ModelActivityView } from './dto/model-activity.view.js';
import { ModelsViewService } from './models-view.service.js';

const NOT_STREAMED = { calls: 0, p50FirstTokenMs: null, p95FirstTokenMs: null, tokensPerSecond: null };

/** Figures of each model from all users' requests of the last 24 hours. */
@Injectable()
export class ModelFiguresService {
  constructor(
    private readonly models: ModelsViewService,
    private readonly reports: UsageReportsService,
    private readonly speeds: ModelSpeedService,
    private readonly clock: ClockService,
  ) {}

  /** Of the models that the person can see; those without requests are left out. */
  async lately(session: Session): Promise<ModelActivityView[]> {
    const from = dayBefore(this.clock);
    const [models, sums, speeds] = await Promise.all([
      this.models.list(session),
      this.sumsSince(from),
      this.speeds.since(from),
    ]);
    return models.flatMap(({ id }) => {
      const ofModel = sums.get(id);
      return ofModel ? [toView(id, ofModel, speeds.get(id))] : [];
    });
  }

  /** From the roll-ups, page by page. */
  private async sumsSince(from: Date): Promise<Map<string, UsageSums>> {
    const span = { from, to: this.clock.date(), zone: 'UTC', granularity: 'hour' } as const;
    const found = new Map<string, UsageSums>();
    for (let page = 0, seen = 0, all = 1; seen < all; page++) {
      const { groups, groupCount } = await this.reports.groups({ ...span, groupBy: 'model', compare: false }, page);
      for (const { id, sums } of groups) if (id !== null) found.set(id, sums);
      seen += groups.length;
      all = groups.length === 0 ? seen : groupCount;
    }
    return found;
  }
}

function toView(
  id: string,
  sums: UsageSums,
  speed: ModelSpeed | typeof NOT_STREAMED = NOT_STREAMED,
): ModelActivityView {
  const { requests, succeeded, errors, refused } = sums;
  const { calls: streamed, ...times } = speed;
  return { id, requests, succeeded, errors, refused, streamed, ...times };
}
