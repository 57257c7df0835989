import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length, MaxLength } from 'class-validator';
import { PROJECT_ROLES, type ProjectRole } from '../../../accounts/projects/project.types.js';
import { IsGivenOrMissing } from '../../dto/is-given-or-missing.js';
import { OptionalChoice, OptionalFlag } from '../../dto/request-fields.js';
import { ListQuery, SortedBy } from '../../lists/list-query.js';

const SCOPES = ['mine', 'all'] as const;
const STATUSES = ['active', 'archived', 'all'] as const;

export const PROJECT_SORTS = ['name', 'created', 'spent'] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number];

/** The search covers the name. */
export class ProjectsQuery extends ListQuery {
  @OptionalChoice(SCOPES, { default: 'mine', description: '`all`: every project, for admins.' })
  scope: (typeof SCOPES)[number] = 'mine';

  @OptionalChoice(STATUSES, { default: 'active' })
  status: (typeof STATUSES)[number] = 'active';

  @SortedBy(PROJECT_SORTS, 'name')
  sort: string = 'name';
}

export class ProjectNameDto {
  @ApiProperty({ maxLength: 100, example: 'Search' })
  @IsString()
  @Length(1, 100)
  name!: string;
}

export class ProjectMemberDto {
  @ApiProperty({
    enum: PROJECT_ROLES,
    description: 'A manager can create keys and set limits; a member can only see them.',
  })
  @IsIn(PROJECT_ROLES)
  role!: ProjectRole;
}

export class NewProjectMemberDto extends ProjectMemberDto {
  @ApiProperty({
    maxLength: 254,
    example: 'grace@example.com',
    description: 'The e-mail address of a person with an account.',
  })
  @IsString()
  @MaxLength(254)
  email!: string;
}

export class ServiceAccountDto {
  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsString()
  @Length(1, 100)
  name?: string;

  @OptionalFlag('Keys of a disabled service account do not work.')
  disabled?: boolean;
}
