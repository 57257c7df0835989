import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { Level } from '../../limits/budget-levels.service.js';
import type { ShownLimits } from '../../limits/values/limit-values.js';
import { LimitsView } from '../shared/fields.js';
import { Integer, NumberOrNull, TimeOrNull } from '../shared/views.js';

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

/** The common fields of the budgets of users, keys and projects. */
export class SpentBudgetView {
  @ApiProperty({ enum: PERIODS, description: 'Days and months are in UTC.' })
  period!: (typeof PERIODS)[number];

  @ApiProperty({ description: 'US dollars.' })
  amountUsd!: number;

  @ApiProperty({ description: 'The cost in US dollars of calls that have ended in this period.' })
  spentUsd!: number;

  @NumberOrNull(
    'The smallest amount that a call refused in this period would have reserved, if more than what is left, so that such calls are still refused; else null. US dollars.',
  )
  uncoveredUsd!: number | null;
}

export class BudgetView extends SpentBudgetView {
  @ApiProperty({
    description: 'The spending before the budget was set is still being summed up; until then only later calls count.',
  })
  calculating!: boolean;

  @TimeOrNull('When it resets; null: never.')
  resetsAt!: Date | null;
}

const RATES = ['requestsPerMinute', 'tokensPerMinute', 'concurrentCalls'] as const;

export class RateView {
  @ApiProperty({ enum: RATES })
  name!: (typeof RATES)[number];

  @Integer()
  limit!: number;

  @Integer('The current use; it can exceed the limit if calls used more tokens than estimated.')
  used!: number;

  @TimeOrNull('When it is fully available again without further use; null for concurrent calls.')
  fullAt!: Date | null;
}

export class UserLimitsView {
  @ApiProperty({ description: '`plan` means the plan’s value.' })
  own!: OwnLimitsView;

  @ApiProperty({ description: 'The plan’s values.' })
  plan!: LimitsView;

  @ApiProperty({ description: 'The effective limits, for all keys together.' })
  values!: LimitsView;

  @ApiProperty({ type: [BudgetView], description: 'The effective budgets, with their spending.' })
  budgets!: BudgetView[];

  @ApiProperty({ type: [RateView], description: 'The effective rates, with their current use.' })
  rates!: RateView[];
}

export function rateViews(levels: readonly Level[] = [], now: number): RateView[] {
  return levels.map(({ fullInSeconds, ...level }) => ({
    ...level,
    fullAt: fullInSeconds === null ? null : new Date(now + fullInSeconds * 1000),
  }));
}
