import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { ShownLimits } from '../../../limits/values/limit-values.js';
import { LimitsView } from '../../dto/limits.view.js';

const PLAN = { type: 'string', enum: ['plan'] };
const COUNT: ApiPropertyOptions = { oneOf: [{ type: 'integer' }, PLAN], nullable: true };
const USD: ApiPropertyOptions = { oneOf: [{ type: 'number' }, PLAN], nullable: true };

type Own = number | 'plan' | null;

/** A user's own values: null is no limit, `plan` the plan's value. */
export class OwnLimitsView implements ShownLimits<Own> {
  @ApiProperty(COUNT)
  requestsPerMinute!: Own;

  @ApiProperty(COUNT)
  tokensPerMinute!: Own;

  @ApiProperty(COUNT)
  concurrentCalls!: Own;

  @ApiProperty(USD)
  budgetDayUsd!: Own;

  @ApiProperty(USD)
  budgetMonthUsd!: Own;

  @ApiProperty(USD)
  budgetTotalUsd!: Own;
}

const PERIODS = ['day', 'month', 'total'] as const;

export class BudgetView {
  @ApiProperty({ enum: PERIODS, description: 'Days and months are those of UTC.' })
  period!: (typeof PERIODS)[number];

  @ApiProperty({ description: 'US dollars.' })
  amountUsd!: number;

  @ApiProperty({ description: 'US dollars that calls which have ended cost since the period began.' })
  spentUsd!: number;

  @ApiProperty({
    description: 'What was spent before it was set is still being summed up; until then only calls since then count.',
  })
  calculating!: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it resets; null: never.' })
  resetsAt!: string | null;
}

const RATES = ['requestsPerMinute', 'tokensPerMinute', 'concurrentCalls'] as const;

export class RateView {
  @ApiProperty({ enum: RATES })
  name!: (typeof RATES)[number];

  @ApiProperty({ type: 'integer' })
  limit!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Now; it may be above the limit, where calls used more tokens than their prompts were estimated at.',
  })
  used!: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When all of it is free again, should nothing more be used; null for calls under way.',
  })
  fullAt!: string | null;
}

export class UserLimitsView {
  @ApiProperty({ description: 'Where it says `plan`, the value of the plan holds.' })
  own!: OwnLimitsView;

  @ApiProperty({ description: 'What the plan says.' })
  plan!: LimitsView;

  @ApiProperty({ description: 'What holds, for all keys together.' })
  values!: LimitsView;

  @ApiProperty({ type: [BudgetView], description: 'Those that hold, with what is spent of them.' })
  budgets!: BudgetView[];

  @ApiProperty({ type: [RateView], description: 'Those that hold, with what is used of them now.' })
  rates!: RateView[];
}
