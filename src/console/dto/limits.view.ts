import { ApiProperty } from '@nestjs/swagger';
import type { ShownLimits } from '../../limits/values/limit-values.js';

const USD = { type: Number, nullable: true, description: 'US dollars.' } as const;
const COUNT = { type: 'integer', nullable: true } as const;

/** Limits and budgets; null: none. */
export class LimitsView implements ShownLimits {
  @ApiProperty(COUNT)
  requestsPerMinute!: number | null;

  @ApiProperty(COUNT)
  tokensPerMinute!: number | null;

  @ApiProperty({ ...COUNT, description: 'Concurrent calls.' })
  concurrentCalls!: number | null;

  @ApiProperty(USD)
  budgetDayUsd!: number | null;

  @ApiProperty(USD)
  budgetMonthUsd!: number | null;

  @ApiProperty(USD)
  budgetTotalUsd!: number | null;
}
