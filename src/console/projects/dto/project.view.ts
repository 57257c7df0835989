import { ApiProperty } from '@nestjs/swagger';
import { PROJECT_ROLES, type ProjectRole } from '../../../accounts/projects/project.types.js';
import { LimitsView } from '../../dto/limits.view.js';
import { SpendingView } from '../../dto/spending.view.js';
import { Integer, TimeOrNull } from '../../dto/view-properties.js';
import { RateView, SpentBudgetView } from '../../limits/dto/user-limits.view.js';
import { ListPageView } from '../../lists/list.view.js';
import { UserPlanView } from '../../users/dto/user-view.dto.js';

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
