import type { ShownLimits } from '../../limits/values/limit-values.js';
import { IntegerOrNull, NumberOrNull } from './view-properties.js';

/** Limits and budgets; null: none. */
export class LimitsView implements ShownLimits {
  @IntegerOrNull()
  requestsPerMinute!: number | null;

  @IntegerOrNull()
  tokensPerMinute!: number | null;

  @IntegerOrNull('Concurrent calls.')
  concurrentCalls!: number | null;

  @NumberOrNull('US dollars.')
  budgetDayUsd!: number | null;

  @NumberOrNull('US dollars.')
  budgetMonthUsd!: number | null;

  @NumberOrNull('US dollars.')
  budgetTotalUsd!: number | null;
}
