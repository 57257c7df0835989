import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Length,
  ValidateNested,
} from 'class-validator';
import { GRANTABLE_PERMISSIONS, type Permission } from '../../accounts/permissions.js';
import type { User, UserRole } from '../../accounts/user.types.js';
import type { GrantedPlan } from '../../billing/plan.types.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import {
  IsGivenOrMissing,
  IsTextList,
  IsUserName,
  OptionalChoice,
  OptionalFlag,
  SplitAtCommas,
} from '../shared/fields.js';
import { ExactText, ListPageView, ListQuery, SortedBy } from '../shared/lists.js';
import { PlanNameView } from '../shared/plan.view.js';
import { MAX_ROWS } from '../shared/validation.js';
import {
  Integer,
  ProjectRefView,
  SpendingView,
  TextOrNull,
  TimeOrNull,
  toSpending,
  ViewOrNull,
} from '../shared/views.js';

export interface UserFacts {
  readonly plan: GrantedPlan;
  readonly keys: number;
  readonly spent: UsageTotals | undefined;
  readonly isInvited: boolean;
  readonly project: ProjectRefView | null;
}

export function toUserView(user: User, { plan, keys, spent, isInvited, project }: UserFacts): UserView {
  const { id, email, name, role, kind, permissions, source, lastSeenAt, createdAt } = user;
  return {
    id,
    email,
    name,
    role,
    kind: kind === 'person' ? 'person' : 'service',
    permissions,
    project,
    source,
    status: user.forgottenAt ? 'forgotten' : user.disabledAt ? 'disabled' : isInvited ? 'invited' : 'active',
    plan: toUserPlanView(plan),
    keys,
    spentThisMonth: toSpending(spent),
    lastSeenAt,
    createdAt,
  };
}

export function toUserPlanView({ plan: { id, name }, since, until }: GrantedPlan): UserPlanView {
  return { id, name, since, until };
}

export class UserPlanView extends PlanNameView {
  @TimeOrNull()
  since!: Date | null;

  @TimeOrNull('Null: no end.')
  until!: Date | null;
}

/** A user as administrators see it. */
export class UserView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @TextOrNull('Null for service accounts of a project.')
  email!: string | null;

  @ApiProperty({ description: 'May be empty if there is an e-mail address.' })
  name!: string;

  @ApiProperty({ enum: ['admin', 'member'] })
  role!: 'admin' | 'member';

  @ApiProperty({ enum: GRANTABLE_PERMISSIONS, isArray: true, description: 'Of a service account; empty for people.' })
  permissions!: readonly Permission[];

  @ViewOrNull(ProjectRefView, 'The project, if the user is a service account of one.')
  project!: ProjectRefView | null;

  @ApiProperty({ enum: ['person', 'service'] })
  kind!: 'person' | 'service';

  @ApiProperty({ enum: ['local', 'oidc', 'service'], description: 'How the user signs in.' })
  source!: 'local' | 'oidc' | 'service';

  @ApiProperty({
    enum: ['active', 'disabled', 'invited', 'forgotten'],
    description:
      'Invited: the link to a first password was not used yet. Forgotten: disabled for good, under a pseudonym.',
  })
  status!: 'active' | 'disabled' | 'invited' | 'forgotten';

  @ApiProperty({ type: UserPlanView })
  plan!: UserPlanView;

  @Integer('API keys that work now.')
  keys!: number;

  @ApiProperty({ type: SpendingView, description: 'This month (UTC) so far.' })
  spentThisMonth!: SpendingView;

  @TimeOrNull('Last use of the console, accurate to the minute.')
  lastSeenAt!: Date | null;

  @ApiProperty()
  createdAt!: Date;
}

export class UserPageView extends ListPageView {
  @ApiProperty({ type: [UserView] })
  items!: UserView[];
}

export class PasswordLinkView {
  @ApiProperty({ description: 'For the person; it is shown only once.' })
  url!: string;

  @ApiProperty()
  expiresAt!: Date;
}

export class CreatedUserView {
  @ApiProperty({ type: UserView })
  user!: UserView;

  @ViewOrNull(PasswordLinkView, 'Null for a service account, and if people sign in only with single sign-on.')
  link!: PasswordLinkView | null;
}

const ROLES: readonly UserRole[] = ['admin', 'member'];
const KINDS = ['person', 'service'] as const;

export class CreateUserDto {
  @ApiProperty({ example: 'ada@example.com' })
  @IsString()
  @Length(1, 254)
  email!: string;

  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsUserName()
  name?: string;

  @OptionalChoice(ROLES, { default: 'member' })
  role?: UserRole;

  @OptionalChoice(KINDS, { default: 'person', description: 'A service account has keys and cannot sign in.' })
  kind?: (typeof KINDS)[number];
}

/** A person to invite. */
export class InvitedUserDto extends OmitType(CreateUserDto, ['kind']) {
  @ApiPropertyOptional({ maxLength: 100, example: 'pro', description: 'Granted without an end; needs `plans.write`.' })
  @IsGivenOrMissing()
  @IsString()
  @Length(1, 100)
  planId?: string;
}

export class CreateUsersDto {
  @ApiProperty({ type: [InvitedUserDto], minItems: 1, maxItems: MAX_ROWS })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_ROWS)
  @ValidateNested({ each: true })
  @Type(() => InvitedUserDto)
  users!: InvitedUserDto[];

  @OptionalFlag('Only say what would prevent the creation.')
  dryRun?: boolean;
}

/** What prevents the creation of a user. */
export class UserFaultView {
  @ApiProperty({ example: 'users[3].email' })
  param!: string;

  @ApiProperty()
  message!: string;
}

export class CreatedUsersView {
  @ApiProperty({ type: [CreatedUserView], description: 'In the order of the request; none if `dryRun` is true.' })
  users!: CreatedUserView[];

  @ApiProperty({ type: [UserFaultView], description: 'All of them, if `dryRun` is true; otherwise none.' })
  faults!: UserFaultView[];
}

export class UpdateUserDto {
  @ApiPropertyOptional({ example: 'ada@example.com' })
  @IsGivenOrMissing()
  @IsString()
  @Length(1, 254)
  email?: string;

  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsUserName()
  name?: string;

  @OptionalChoice(ROLES)
  role?: UserRole;

  @ApiPropertyOptional({
    enum: GRANTABLE_PERMISSIONS,
    isArray: true,
    description: 'What a service account may do with access tokens, for everything that the gateway has.',
  })
  @IsGivenOrMissing()
  @IsTextList(GRANTABLE_PERMISSIONS.length, IsArray())
  @IsIn(GRANTABLE_PERMISSIONS, { each: true, message: `permissions must be among ${GRANTABLE_PERMISSIONS.join(', ')}` })
  permissions?: Permission[];

  @OptionalFlag("True ends the user's sessions and disables keys and access tokens.")
  disabled?: boolean;
}

const SORTS = ['email', 'role', 'plan', 'status', 'source', 'keys', 'spent', 'seen'] as const;
const STATUSES = ['active', 'disabled', 'invited', 'forgotten'] as const;
const ROLE_CHOICES = ['admin', 'member'] as const;
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

  @ExactText('e-mail address')
  email?: string;

  @ExactText('name')
  name?: string;

  @ExactText('id at the identity provider that sends people by SCIM')
  externalId?: string;

  @OptionalChoice(ROLE_CHOICES)
  role?: (typeof ROLE_CHOICES)[number];

  @OptionalChoice(SOURCES)
  source?: (typeof SOURCES)[number];

  @SortedBy(SORTS, 'email')
  sort: string = 'email';
}
