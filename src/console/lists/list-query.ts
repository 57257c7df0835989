import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, IsOptional, IsString, IsUUID, Matches, Max, MaxLength, Min } from 'class-validator';
import { SplitAtCommas } from '../dto/request-fields.js';

const MAX_IDS = 200;

/** One page of a list. */
export class PageQuery {
  @ApiPropertyOptional({ description: 'Words to search for, case-insensitive.', maxLength: 200 })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  @Matches(/^[^\0]*$/, { message: '$property must be text' })
  q: string = '';

  @ApiPropertyOptional({ description: '`next` of the previous page, of a list with the same `sort`.' })
  @IsOptional()
  @IsString()
  @MaxLength(2000)
  cursor?: string;

  @PageNumber(200, 50)
  limit: number = 50;
}

/** The same for items that can be requested by id. */
export class ListQuery extends PageQuery {
  @ApiPropertyOptional({ type: [String], description: 'Only these ids, separated by commas.' })
  @IsOptional()
  @SplitAtCommas()
  @ArrayMaxSize(MAX_IDS)
  @IsUUID('all', { each: true })
  ids?: string[];
}

/** An optional whole number of a query, at least 1. */
export function PageNumber(maximum: number, fallback: number, description?: string): PropertyDecorator {
  const shown = {
    type: 'integer',
    minimum: 1,
    maximum,
    default: fallback,
    ...(description && { description }),
  } as const;
  return applyDecorators(
    ApiPropertyOptional(shown),
    IsOptional(),
    Type(() => Number),
    Max(maximum),
    Min(1),
    IsInt(),
  );
}

/** `name`, or `-name` for descending order. */
export function SortedBy(names: readonly string[], fallback: string): PropertyDecorator {
  const all = names.flatMap((name) => [name, `-${name}`]);
  return applyDecorators(ApiPropertyOptional({ enum: all, default: fallback }), IsOptional(), IsIn(all));
}

/** Parses a value that `SortedBy` accepted. */
export function toOrder<Name extends string>(sort: string): { sort: Name; descending: boolean } {
  const descending = sort.startsWith('-');
  return { sort: (descending ? sort.slice(1) : sort) as Name, descending };
}
