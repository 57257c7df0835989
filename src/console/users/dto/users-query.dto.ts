import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsOptional } from 'class-validator';
import { ListQuery, SortedBy } from '../../lists/list-query.js';

const SORTS = ['email', 'role', 'plan', 'status', 'source', 'keys', 'spent', 'seen'] as const;
const STATUSES = ['active', 'disabled', 'invited'] as const;
const ROLES = ['admin', 'member'] as const;
const SOURCES = ['local', 'oidc', 'service'] as const;

export type UserSort = (typeof SORTS)[number];

/** Filters and order of users. The search covers e-mail address, name and plan. */
export class UsersQuery extends ListQuery {
  @ApiPropertyOptional({ enum: STATUSES, isArray: true, description: 'Several: separated by commas.' })
  @IsOptional()
  @Transform(({ value }) => [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : [one])))
  @ArrayMaxSize(STATUSES.length)
  @IsIn(STATUSES, { each: true })
  status?: (typeof STATUSES)[number][];

  @ApiPropertyOptional({ enum: ROLES })
  @IsOptional()
  @IsIn(ROLES)
  role?: (typeof ROLES)[number];

  @ApiPropertyOptional({ enum: SOURCES })
  @IsOptional()
  @IsIn(SOURCES)
  source?: (typeof SOURCES)[number];

  @SortedBy(SORTS, 'email')
  sort: string = 'email';
}
