import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsIn, IsString, Length, MaxLength } from 'class-validator';
import type { Permission } from '../../accounts/permissions.js';
import { PROJECT_ROLES, type ProjectRole } from '../../accounts/project.types.js';
import { RateView, SpentBudgetView } from '../limits/limits.view.js';
import {
  IsGivenOrMissing,
  IsTextList,
  LimitsDto,
  LimitsView,
  OptionalChoice,
  OptionalFlag,
  OptionalLimits,
} from '../shared/fields.js';
import { ExactText, ListPageView, ListQuery, SortedBy } from '../shared/lists.js';
import { Integer, SpendingView, TimeOrNull } from '../shared/views.js';
import { UserPlanView } from '../users/user.view.js';

const SOURCES = ['local', 'oidc'] as const;

export class ProjectView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ format: 'uuid', description: 'The user that represents it in plans: `/api/users/{id}/plan`.' })
  userId!: string;

  @ApiProperty({ enum: PROJECT_ROLES, nullable: true, description: 'Your role; null for other admins.' })
  role!: ProjectRole | null;

  @ApiProperty({ description: 'Whether you can create keys and service accounts, add members, and set limits.' })
  canManage!: boolean;

  @Integer()
  members!: number;

  @ApiProperty({ type: [String], description: 'The e-mail addresses of its managers; at most three.' })
  managers!: string[];

  @Integer('The number of all its managers.')
  managerCount!: number;

  @ApiProperty({ type: () => [ProjectBudgetView], description: 'The budgets of all its keys together.' })
  budgets!: ProjectBudgetView[];

  @Integer('API keys that work now, including those of its service accounts.')
  keys!: number;

  @Integer()
  serviceAccounts!: number;

  @ApiProperty({ description: 'Whether prompts and answers of all its keys are stored, encrypted.' })
  logsContent!: boolean;

  @ApiProperty({ type: UserPlanView })
  plan!: UserPlanView;

  @ApiProperty({ description: 'Since the first of the month, in UTC.' })
  spentThisMonth!: SpendingView;

  @ApiProperty()
  createdAt!: Date;

  @TimeOrNull('When it was archived and its keys stopped working.')
  archivedAt!: Date | null;
}

export class ProjectPageView extends ListPageView {
  @ApiProperty({ type: [ProjectView] })
  items!: ProjectView[];
}

export class ProjectMemberView {
  @ApiProperty({ format: 'uuid' })
  userId!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty({ description: 'May be empty.' })
  name!: string;

  @ApiProperty({ enum: PROJECT_ROLES })
  role!: ProjectRole;

  @ApiProperty({ enum: SOURCES, description: '`oidc`: from a group in single sign-on.' })
  source!: (typeof SOURCES)[number];

  @ApiProperty({ description: 'Whether the account is disabled.' })
  disabled!: boolean;
}

export class ServiceAccountView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  disabled!: boolean;

  @ApiProperty({ type: [String], description: 'What administrators allowed its access tokens.' })
  permissions!: readonly Permission[];

  @Integer('API keys that work now.')
  keys!: number;

  @ApiProperty({ description: 'Since the first of the month, in UTC.' })
  spentThisMonth!: SpendingView;

  @ApiProperty()
  createdAt!: Date;
}

export class ProjectBudgetView extends SpentBudgetView {
  @ApiProperty({ description: 'The most that running calls can still cost, in US dollars.' })
  reservedUsd!: number;

  @ApiProperty({ description: 'US dollars that new calls can use; at least 0.' })
  leftUsd!: number;

  @TimeOrNull('When it resets; null: never.')
  resetsAt!: string | null;
}

export class ProjectLimitsView {
  @ApiProperty({ description: 'For all keys of the project together.' })
  values!: LimitsView;

  @ApiProperty({ description: 'The upper bounds of what managers can set, as set by administrators; null: none.' })
  bounds!: LimitsView;

  @ApiProperty({ type: [ProjectBudgetView] })
  budgets!: ProjectBudgetView[];

  @ApiProperty({ type: [RateView], description: 'The rates with their current use.' })
  rates!: RateView[];
}

export class ProjectDetailView extends ProjectView {
  @ApiProperty({ type: [ProjectMemberView] })
  memberList!: ProjectMemberView[];

  @ApiProperty()
  limits!: ProjectLimitsView;
}

const SCOPES = ['mine', 'all'] as const;
const STATUSES = ['active', 'archived', 'all'] as const;

export const PROJECT_SORTS = ['name', 'created', 'spent'] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number];

/** The search covers the name. */
export class ProjectsQuery extends ListQuery {
  @OptionalChoice(SCOPES, { default: 'mine', description: '`all`: every project, for admins.' })
  scope: (typeof SCOPES)[number] = 'mine';

  @ExactText('name')
  name?: string;

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

const MAX_MANAGERS = 50;

/** A new project with what it has from its start. */
export class CreateProjectDto extends ProjectNameDto {
  @ApiPropertyOptional({ maxLength: 100, example: 'pro', description: 'Granted without an end; needs `plans.write`.' })
  @IsGivenOrMissing()
  @IsString()
  @Length(1, 100)
  planId?: string;

  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_MANAGERS,
    example: ['grace@example.com'],
    description: 'The e-mail addresses of people with an account.',
  })
  @IsGivenOrMissing()
  @IsTextList(MAX_MANAGERS, IsArray())
  managers?: string[];

  @OptionalLimits('The upper bounds of what its managers can set; needs `limits.write`.')
  limits?: LimitsDto;
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
