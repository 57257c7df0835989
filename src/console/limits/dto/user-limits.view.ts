import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { ShownLimits } from '../../../common/limit-values.js';
import { LimitsView } from '../../dto/limits.view.js';

const PLAN = { type: 'string', enum: ['plan'] };
const COUNT: ApiPropertyOptions = { oneOf: [{ type: 'integer' }, PLAN], nullable: true };
const USD: ApiPropertyOptions = { oneOf: [{ type: 'number' }, PLAN], nullable: true };

type Own = number | 'plan' | null;

/** A user's own values: null is no limit, `plan` what the plan says. */
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

export class UserLimitsView {
  @ApiProperty({ description: 'Where it says `plan`, the value of the plan holds.' })
  own!: OwnLimitsView;

  @ApiProperty({ description: 'What the plan says.' })
  plan!: LimitsView;

  @ApiProperty({ description: 'What holds, for all keys together.' })
  values!: LimitsView;
}
