import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { IsGivenOrMissing } from './is-given-or-missing.js';

type LimitInput = number | string | null;

const COUNT = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;
const DOLLARS = { type: 'number', minimum: 0, maximum: 1_000_000_000 } as const;
const EXACT = { type: 'string', pattern: '^\\d+(\\.\\d{1,9})?$' } as const;
const PLAN = { type: 'string', enum: ['plan'] } as const;

/** Limits and budgets to set. Missing ones do not change; null removes the limit. */
export class LimitsDto extends limitsWith([], 'US dollars in total; not for plans.') {}

/** The same for a user: `plan` removes the user's own value, so that the plan's value applies. */
export class UserLimitsDto extends limitsWith([PLAN], 'US dollars in total.') {}

/** `others`: the schemas of more values. */
function limitsWith(others: object[], total: string) {
  class Limits {
    @LimitProperty([COUNT, ...others], 'The size of the bucket, which refills continuously.')
    requestsPerMinute?: LimitInput;

    @LimitProperty([COUNT, ...others])
    tokensPerMinute?: LimitInput;

    @LimitProperty([COUNT, ...others], 'Concurrent calls.')
    concurrentCalls?: LimitInput;

    @LimitProperty([DOLLARS, EXACT, ...others], 'US dollars per day, in UTC; as a string, exact to the nano-dollar.')
    budgetDayUsd?: LimitInput;

    @LimitProperty([DOLLARS, EXACT, ...others], 'US dollars per month, in UTC.')
    budgetMonthUsd?: LimitInput;

    @LimitProperty([DOLLARS, EXACT, ...others], total)
    budgetTotalUsd?: LimitInput;
  }
  return Limits;
}

/** `toLimitChange` checks which numbers and texts are valid. */
function LimitProperty(oneOf: object[], description?: string): PropertyDecorator {
  const isLimitInput = ValidateBy({
    name: 'isLimit',
    validator: {
      validate: (value) => value === null || typeof value === 'number' || typeof value === 'string',
      defaultMessage: () => '$property must be a number, or null for no limit',
    },
  });
  const shown = ApiPropertyOptional({ oneOf, nullable: true, ...(description && { description }) });
  return applyDecorators(shown, IsGivenOrMissing(), isLimitInput);
}
