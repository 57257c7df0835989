import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import type { UsageGrouping, UsageRanking } from '../../usage/usage.types.js';
import {
  IsInstant,
  OptionalChoice,
  OptionalScope,
  OptionalZone,
  type OwnerScope,
  SplitAtCommas,
} from '../shared/fields.js';
import { PageNumber } from '../shared/lists.js';

export const GRANULARITIES = ['auto', 'quarter', 'hour', 'day', 'month'] as const;
export const GROUPINGS = ['model', 'key', 'user', 'upstream', 'status', 'api', 'project', 'none'] as const;
export const CALL_STATUSES = ['open', 'settled', 'failed', 'aborted', 'interrupted', 'refused'] as const;
/** The status in filters; `unauthorized` requests are refused requests whose key was not valid (401). */
export const STATUS_FILTERS = [...CALL_STATUSES, 'unauthorized'] as const;
export const RANKINGS = [
  'requests',
  'errors',
  'refused',
  'tokens',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'reasoningTokens',
  'costNanodollars',
  'p50TotalMs',
  'p95TotalMs',
  'p50FirstTokenMs',
  'p95FirstTokenMs',
] as const satisfies readonly UsageRanking[];
const MAX_VALUES = 200;

/** A list: the parameter repeated for each value, or once with values separated by commas. */
function ListOf(description: string, ...checks: PropertyDecorator[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: [String],
      description: `${description} Several: repeat it, or separate them by commas.`,
    }),
    IsOptional(),
    SplitAtCommas(),
    ArrayMaxSize(MAX_VALUES),
    ...checks,
  );
}

/** Filters of calls. */
export class UsageFilterQuery {
  @ApiProperty({ format: 'date-time', description: 'Calls that started at this time or later.' })
  @IsInstant()
  from!: string;

  @ApiProperty({ format: 'date-time', description: 'Calls that started before this time.' })
  @IsInstant()
  to!: string;

  @OptionalScope('mine', 'Whose calls')
  scope: OwnerScope = 'mine';

  @ListOf('Model ids.', IsString({ each: true }), MaxLength(200, { each: true }), Matches(/^[^\0]*$/, { each: true }))
  models?: string[];

  @ListOf('Ids of API keys.', IsUUID('all', { each: true }))
  keys?: string[];

  @ListOf('Ids of users; for admins, and within projects for their members.', IsUUID('all', { each: true }))
  users?: string[];

  @ListOf(
    'The status of requests: `open` ones are running, `refused` ones were refused before a model was called, `unauthorized` ones are refused requests whose key was invalid (401).',
    IsIn(STATUS_FILTERS, { each: true }),
  )
  statuses?: string[];

  @ListOf(
    'Names of upstreams; for admins.',
    IsString({ each: true }),
    MaxLength(200, { each: true }),
    Matches(/^[^\0]*$/, { each: true }),
  )
  upstreams?: string[];

  @ListOf(
    'Ids of projects that you are a member of; admins can use any. `scope` is then ignored.',
    IsUUID('all', { each: true }),
  )
  projects?: string[];

  @ListOf('The APIs by which clients called, such as `chat.completions`.', Matches(/^[a-z_.]{1,40}$/, { each: true }))
  apis?: string[];
}

/** Grouping and steps of the sums. */
export class UsageReportQuery extends UsageFilterQuery {
  @OptionalZone({ description: 'The IANA time zone for hours and days.', default: 'UTC' })
  zone: string = 'UTC';

  @OptionalChoice(GRANULARITIES, {
    default: 'auto',
    description:
      '`auto`: hours up to three days, otherwise days. Quarter-hours up to a week, hours up to 93 days. Days and months are those of `zone`.',
  })
  granularity: (typeof GRANULARITIES)[number] = 'auto';

  @OptionalChoice(GROUPINGS, {
    default: 'none',
    description: '`upstream` is for admins; `user` also for the calls of your projects.',
  })
  groupBy: (typeof GROUPINGS)[number] = 'none';

  @OptionalChoice(RANKINGS, {
    default: 'requests',
    description:
      'The order of the groups; the first ten of them, fewer in a long series, have a series of their own. Rankings by a duration compare only the 500 users or keys with the most requests; the others follow.',
  })
  rankBy: (typeof RANKINGS)[number] = 'requests';

  @OptionalChoice(['true', 'false'], { description: 'Only requests that the simulator answered, or none of them.' })
  simulated?: 'true' | 'false';

  @OptionalChoice(['true', 'false'], { default: 'false', description: 'Include the previous period.' })
  compare: 'true' | 'false' = 'false';
}

/** A page of the groups. */
export class UsageGroupsQuery extends UsageReportQuery {
  @PageNumber(100_000, 1, 'Pages of 50 groups; the report itself has the first.')
  page: number = 1;
}

/** Conditions on single requests. No index supports them, so a page examines at most 10,000 requests. */
export class CallConditionsQuery {
  @OptionalChoice(['true', 'false'], { description: 'Whether the answer was streamed.' })
  stream?: 'true' | 'false';

  @OptionalChoice(['true', 'false'], { description: 'Whether the simulator answered.' })
  simulated?: 'true' | 'false';

  @ListOf('Error codes, such as `upstream_error`.', Matches(/^[a-z_]{1,60}$/, { each: true }))
  codes?: string[];

  @ListOf(
    'HTTP statuses: that the client got, or the provider’s of a failed request.',
    Matches(/^[1-5]\d\d$/, { each: true }),
  )
  httpStatuses?: string[];

  @ApiPropertyOptional({ type: Number, minimum: 0, description: 'Requests that cost at least this, in dollars.' })
  @IsOptional()
  @Transform(({ value }) => Number(value))
  @IsNumber()
  @Min(0)
  @Max(1_000_000)
  minCostUsd?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'Requests that took at least this, in ms.' })
  @IsOptional()
  @Transform(({ value }) => Number(value))
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  minMs?: number;
}

/** Filters of single requests. */
export class UsageRequestsQuery extends IntersectionType(UsageFilterQuery, CallConditionsQuery) {}

export const FACETS = [
  'status',
  'model',
  'upstream',
  'key',
  'user',
  'project',
  'api',
  'code',
  'httpStatus',
  'simulated',
  'stream',
  'cost',
  'duration',
] as const;

export class UsageFacetQuery extends UsageRequestsQuery {
  @ApiProperty({
    enum: FACETS,
    description: '`upstream` is for admins; `user` and `project` also for the requests of your projects.',
  })
  @IsIn(FACETS)
  of!: (typeof FACETS)[number];
}

export class UsageHistogramQuery extends UsageRequestsQuery {
  @OptionalZone({ description: 'The IANA time zone for days.', default: 'UTC' })
  zone: string = 'UTC';
}

export class UsageCallsQuery extends UsageRequestsQuery {
  @ApiPropertyOptional({ description: '`next` of the previous page.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  cursor?: string;

  @PageNumber(200, 50)
  limit: number = 50;
}

export class UsageExportQuery extends IntersectionType(UsageReportQuery, CallConditionsQuery) {
  @ApiProperty({ enum: ['report', 'calls'], description: 'The totals by time and group, or the single calls.' })
  @IsIn(['report', 'calls'])
  kind!: 'report' | 'calls';

  @OptionalChoice(['csv', 'json'], { default: 'csv' })
  format: 'csv' | 'json' = 'csv';

  @ListOf(
    'Instead of `groupBy`: the sums by several things at once, such as `project,model,user`.',
    IsIn(
      GROUPINGS.filter((one) => one !== 'none'),
      { each: true },
    ),
  )
  groups?: UsageGrouping[];
}
