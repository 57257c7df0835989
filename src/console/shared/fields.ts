import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsTimeZone,
  IsUUID,
  Length,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { ShownLimits } from '../../limits/values/limit-values.js';
import { IntegerOrNull, NumberOrNull } from './views.js';

// Fields that several requests have, with their description for the OpenAPI document and their validation.

/** A single line of text. */
export const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;

type Details = Pick<ApiPropertyOptions, 'description' | 'default' | 'example'>;

/** One of these values, or nothing. */
export function OptionalChoice(values: readonly string[], details: Details = {}): PropertyDecorator {
  return stacked(ApiPropertyOptional({ enum: [...values], ...details }), IsGivenOrMissing(), IsIn(values));
}

/** Whose things a list or report shows. */
export type OwnerScope = 'mine' | 'projects' | 'all';

export function OptionalScope(fallback: OwnerScope, whose: string): PropertyDecorator {
  return OptionalChoice(['mine', 'projects', 'all'], {
    default: fallback,
    description: `${whose}: your own, those of the projects that you are a member of, or for admins everyone's.`,
  });
}

export function OptionalId(description: string): PropertyDecorator {
  return stacked(ApiPropertyOptional({ format: 'uuid', description }), IsGivenOrMissing(), IsUUID());
}

export function OptionalZone(details: Details): PropertyDecorator {
  const isZone = IsTimeZone({ message: "zone must be an IANA time zone such as 'Europe/Berlin'" });
  return stacked(ApiPropertyOptional(details), IsGivenOrMissing(), isZone);
}

export function OptionalLimits(description: string): PropertyDecorator {
  const isLimits = stacked(
    IsObject(),
    ValidateNested(),
    Type(() => LimitsDto),
  );
  return stacked(ApiPropertyOptional({ description }), IsGivenOrMissing(), isLimits);
}

export function OptionalFlag(description: string): PropertyDecorator {
  return stacked(ApiPropertyOptional({ description }), IsGivenOrMissing(), IsBoolean());
}

/** A time, null, or nothing. */
export function OptionalTime(description: string): PropertyDecorator {
  const shown = ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, description });
  return stacked(shown, IsOptional(), IsInstant());
}

/** `rule`: one more rule for the list. */
export function IsTextList(maxSize: number, rule: PropertyDecorator): PropertyDecorator {
  return stacked(IsArray(), rule, ArrayMaxSize(maxSize), IsString({ each: true }));
}

export function NewPassword(): PropertyDecorator {
  return stacked(ApiProperty({ format: 'password', minLength: 12, maxLength: 1024 }), IsString(), Length(12, 1024));
}

/** The name of a person or a service account. */
export function IsUserName(): PropertyDecorator {
  const isLine = Matches(NO_CONTROL_CHARACTERS, { message: '$property must not contain control characters' });
  return stacked(IsString(), MaxLength(100), isLine);
}

/** Turns a query parameter into a list. It can be repeated, or have values separated by commas. */
export function SplitAtCommas(): PropertyDecorator {
  return Transform(({ value }) => [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : [one])));
}

/** As if the decorators were written in this order: the first rule that a value breaks is reported. */
function stacked(...decorators: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(...decorators.toReversed());
}

/** The field can be missing. Null counts as a value and is refused unless another rule allows it. */
export function IsGivenOrMissing(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** An ISO 8601 time with its offset: `2026-11-21T12:00:00Z`. */
export function IsInstant(): PropertyDecorator {
  return ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value) => typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
      defaultMessage: () => '$property must be a time such as 2026-11-21T12:00:00Z',
    },
  });
}

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
