import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { UsageReportsService } from '../../usage/reports/usage-reports.service.js';
import { dayBefore } from '../shared/days.js';

/** By name: the share of input tokens that was read from the provider's cache, 0 to 1. Missing without input. */
export type CachedShares = ReadonlyMap<string, number>;

/** How often the providers' prompt caches are used, by the sums of the last 24 hours. */
@Injectable()
export class CachedSharesService {
  constructor(
    private readonly reports: UsageReportsService,
    private readonly clock: ClockService,
  ) {}

  /** For those with the most input, one page of the report. */
  async by(groupBy: 'model' | 'upstream'): Promise<CachedShares> {
    const span = { from: dayBefore(this.clock), to: this.clock.date(), zone: 'UTC', granularity: 'hour' } as const;
    const { groups } = await this.reports.groups({ ...span, groupBy, rankBy: 'inputTokens', compare: false }, 0);
    return new Map(
      groups.flatMap(({ id, sums: { inputTokens, cachedTokens } }) =>
        id !== null && inputTokens > 0 ? [[id, cachedTokens / inputTokens]] : [],
      ),
    );
  }
}
