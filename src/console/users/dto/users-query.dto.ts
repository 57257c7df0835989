import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsIn, IsOptional } from 'class-validator';
import { OptionalChoice, SplitAtCommas } from '../../dto/request-fields.js';
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
  @SplitAtCommas()
  @ArrayMaxSize(STATUSES.length)
  @IsIn(STATUSES, { each: true })
  status?: (typeof STATUSES)[number][];

  @OptionalChoice(ROLES)
  role?: (typeof ROLES)[number];

  @OptionalChoice(SOURCES)
  source?: (typeof SOURCES)[number];

  @SortedBy(SORTS, 'email')
  sort: string = 'email';
}
