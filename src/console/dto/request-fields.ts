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
  ValidateNested,
} from 'class-validator';
import { IsGivenOrMissing } from './is-given-or-missing.js';
import { IsInstant } from './is-instant.js';
import { LimitsDto } from './limits.dto.js';

// Fields that several requests have, with their description for the OpenAPI document and their validation.

/** A single line of text. */
export const NO_CONTROL_CHARACTERS = /^\P{Cc}*$/u;

type Details = Pick<ApiPropertyOptions, 'description' | 'default' | 'example'>;

/** One of these values, or nothing. */
export function OptionalChoice(values: readonly string[], details: Details = {}): PropertyDecorator {
  return stacked(ApiPropertyOptional({ enum: [...values], ...details }), IsGivenOrMissing(), IsIn(values));
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
