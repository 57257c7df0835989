import { Injectable } from '@nestjs/common';
import { ClockService } from '../../database/clock.service.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { toPastSlots } from './usage-calendar.js';
import type { UsageCallFilter } from './usage-call.types.js';
import { UsageReading } from './usage-reading.js';

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
    const asked = { ...filter, models: within(models, filter.models), statuses: within(CHARGED, filter.statuses) };
    const span = toPastSlots(from, to, this.clock.date());
    if (asked.models.length === 0 || asked.statuses.length === 0 || span.from === span.to) return 0;
    const cells = { starts: [span.from], end: span.to };
    const sums = await UsageReading.of(this.database, span, asked, (reading) =>
      reading.sums({ ...asked, groupBy: 'upstream', cells }),
    );
    return sums.reduce((count, { name, sign, calls }) => count + (name === null ? 0 : sign * Number(calls)), 0);
  }
}

/** The values that the filter allows; an empty filter allows all. */
function within(values: readonly string[], filter: readonly string[] = []): readonly string[] {
  return filter.length === 0 ? values : values.filter((value) => filter.includes(value));
}
