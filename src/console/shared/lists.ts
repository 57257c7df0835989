import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsInt, IsOptional, IsString, IsUUID, Matches, Max, MaxLength, Min } from 'class-validator';
import { cursorOfPlace, type ListPlace, type ListTotal } from '../../database/lists.js';
import { SplitAtCommas } from './fields.js';
import { Integer, TextOrNull, ViewOrNull } from './views.js';

interface ListWork<Found, View> {
  /** The cursor of the request. */
  readonly cursor: string | undefined;
  readonly limit: number;
  /** The list's first rows after the cursor; one more than the limit, if there are as many. */
  readonly found: readonly Found[];
  readonly toViews: (found: readonly Found[]) => Promise<View[]>;
  readonly count: () => Promise<ListTotal>;
}

/** A page of a list. A list that fits into one page is not counted again. */
export async function listPage<Found extends { readonly place: ListPlace }, View>({
  cursor,
  limit,
  found,
  toViews,
  count,
}: ListWork<Found, View>): Promise<{ items: View[]; next: string | null; total: ListTotal | null }> {
  const isFirst = cursor === undefined;
  const isWhole = found.length <= limit;
  const [views, counted] = await Promise.all([
    toViews(found.slice(0, limit)),
    isFirst && !isWhole ? count() : { count: found.length, isExact: true },
  ]);
  const items = itemsThatFit(views);
  const last = found[items.length - 1];
  const next = last && items.length < found.length ? cursorOfPlace(last.place) : null;
  return { items, next, total: isFirst ? counted : null };
}

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

/** A query for items with exactly this text in a field. */
export function ExactText(field: string): PropertyDecorator {
  const shown = ApiPropertyOptional({ description: `Only with exactly this ${field}.`, maxLength: 254 });
  const isText = Matches(/^[^\0]*$/, { message: '$property must be text' });
  return applyDecorators(shown, IsOptional(), isText, MaxLength(254), IsString());
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

export class ListTotalView {
  @Integer()
  count!: number;

  @ApiProperty({ description: 'False if there are more than were counted.' })
  isExact!: boolean;
}

/** The fields of a page of a list besides its items. */
export class ListPageView {
  @TextOrNull('The `cursor` of the next page.')
  next!: string | null;

  @ViewOrNull(ListTotalView, 'Only on the first page.')
  total!: ListTotalView | null;
}

/** The maximum number of characters of a page's items; the rest of a megabyte is for the rest of the response. */
const MAX_CHARACTERS = 700_000;

/** The first items, as many as fit into a response; at least one. */
export function itemsThatFit<Item>(items: readonly Item[]): Item[] {
  let left = MAX_CHARACTERS;
  const end = items.findIndex((item, index) => {
    left -= JSON.stringify(item).length;
    return left < 0 && index > 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
