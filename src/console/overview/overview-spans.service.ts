import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../models/catalog.service.js';
import { UnpricedCallsService } from '../../usage/reports/unpriced-calls.service.js';
import type { UsageQuestion, UsageSums } from '../../usage/reports/usage-report.types.js';
import { UsageReportsService } from '../../usage/reports/usage-reports.service.js';
import { toDollars } from '../shared/spending.js';
import { currentSpan, previousSpan, type Span } from './calendar.js';
import type { OverviewSpanView, OverviewTotalsView } from './dto/overview.dto.js';

const NOTHING: OverviewTotalsView = { requests: 0, succeeded: 0, refused: 0, errors: 0, tokens: 0, costUsd: 0 };

/** Totals of today or this month, and of the same part of the previous one. */
@Injectable()
export class OverviewSpansService {
  constructor(
    private readonly reports: UsageReportsService,
    private readonly unpriced: UnpricedCallsService,
    private readonly catalog: CatalogService,
  ) {}

  /** `owner`: whose calls; null for everyone's. */
  async of(unit: 'day' | 'month', owner: string | null, zone: string, now: Date): Promise<OverviewSpanView> {
    const span = currentSpan(unit, now, zone);
    const granularity = unit === 'day' ? 'hour' : 'day';
    const [current, before, unpricedCalls] = await Promise.all([
      this.reports.report(questionOf(span, owner, zone, granularity)),
      this.reports.report(questionOf(previousSpan(unit, now, zone), owner, zone, 'day')),
      this.unpriced.count({ ...span, ...filterOf(owner) }, this.catalog.unpriced()),
    ]);
    return {
      ...span,
      unpricedCalls,
      totals: toTotalsView(current.totals),
      previous: toTotalsView(before.totals),
      points: current.series.map(({ start, groups }) => ({
        start,
        ...(groups[0] ? toTotalsView(groups[0].sums) : NOTHING),
      })),
    };
  }
}

function questionOf(
  { from, to }: Span,
  owner: string | null,
  zone: string,
  granularity: UsageQuestion['granularity'],
): UsageQuestion {
  return { from, to, zone, granularity, groupBy: null, compare: false, ...filterOf(owner) };
}

function filterOf(owner: string | null): { users?: string[] } {
  return owner === null ? {} : { users: [owner] };
}

function toTotalsView(sums: UsageSums): OverviewTotalsView {
  return {
    requests: sums.requests,
    succeeded: sums.succeeded,
    refused: sums.refused,
    errors: sums.errors,
    tokens: sums.inputTokens + sums.outputTokens,
    costUsd: toDollars(sums.costNanodollars),
  };
}
