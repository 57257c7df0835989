import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayNotEmpty, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PERMISSION_NAMES, PERMISSIONS, type Permission, type Reach, ROLES } from '../../accounts/permissions.js';
import { labelOf, type User } from '../../accounts/user.types.js';
import type { AccessToken } from '../../auth/access-tokens.service.js';
import { IsGivenOrMissing, IsTextList, OptionalChoice, OptionalId, OptionalTime } from '../shared/fields.js';
import { ExactText, ListPageView, PageQuery } from '../shared/lists.js';
import { TextOrNull, TextsOrNull, TimeOrNull, ViewOrNull } from '../shared/views.js';

const MAX_ENTRIES = 200;
const LISTS = ['mine', 'all'] as const;
const REACHES: readonly Reach[] = ['all', 'project', 'own'];

export class TokensQuery extends PageQuery {
  @OptionalChoice(LISTS, { default: 'mine', description: '`all`: the tokens of all users, for admins.' })
  scope: (typeof LISTS)[number] = 'mine';

  @OptionalId('Only the tokens of this service account, for managers of its project and admins; `scope` is ignored.')
  serviceAccountId?: string;

  @ExactText('name')
  name?: string;
}

const SCOPES: ApiPropertyOptions = {
  enum: PERMISSION_NAMES,
  isArray: true,
  example: ['usage.read', 'keys.write'],
};
const ADDRESSES: ApiPropertyOptions = {
  type: [String],
  nullable: true,
  example: ['203.0.113.7', '10.0.0.0/8'],
  description: 'The only addresses and ranges that it can be used from; null: any.',
};

export class CreateTokenDto {
  @ApiProperty({ maxLength: 100, example: 'deploy' })
  @IsString()
  @MaxLength(100)
  name!: string;

  @ApiProperty({ ...SCOPES, description: 'The permissions that it has as long as its owner has them.' })
  @IsTextList(MAX_ENTRIES, ArrayNotEmpty())
  @IsIn(PERMISSION_NAMES, { each: true, message: `scopes must be among ${PERMISSION_NAMES.join(', ')}` })
  scopes!: Permission[];

  @OptionalTime("If missing: after the token policy's default lifetime.")
  expiresAt?: string | null;

  @ApiPropertyOptional(ADDRESSES)
  @IsOptional()
  @IsTextList(MAX_ENTRIES, ArrayNotEmpty())
  addresses?: string[] | null;

  @OptionalId('The service account that owns it; if missing, you. You need each scope for everything.')
  serviceAccountId?: string;
}

export class UpdateTokenDto {
  @ApiPropertyOptional({ maxLength: 100 })
  @IsGivenOrMissing()
  @IsString()
  @MaxLength(100)
  name?: string;

  @ApiPropertyOptional(ADDRESSES)
  @IsOptional()
  @IsTextList(MAX_ENTRIES, ArrayNotEmpty())
  addresses?: string[] | null;
}

class TokenOwnerView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'The e-mail address, or the name if there is none.' })
  label!: string;
}

class TokenUseView {
  @ApiProperty({ description: 'Accurate to the minute.' })
  at!: Date;

  @TextOrNull()
  address!: string | null;

  @TextOrNull()
  userAgent!: string | null;
}

export class TokenView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'The part of the token that stays visible.', example: 'gat_ab12…9xYz' })
  display!: string;

  @ApiProperty({ type: TokenOwnerView })
  owner!: TokenOwnerView;

  @ApiProperty(SCOPES)
  scopes!: Permission[];

  @TextsOrNull('Null: any.')
  addresses!: string[] | null;

  @ApiProperty({ enum: ['active', 'expired', 'revoked'] })
  status!: 'active' | 'expired' | 'revoked';

  @ApiProperty()
  createdAt!: Date;

  @ApiProperty()
  expiresAt!: Date;

  @TimeOrNull()
  revokedAt!: Date | null;

  @ViewOrNull(TokenUseView)
  lastUsed!: TokenUseView | null;
}

export class CreatedTokenView extends TokenView {
  @ApiProperty({ description: 'The token itself. It is shown only here.', example: 'gat_…' })
  token!: string;
}

export class TokenPageView extends ListPageView {
  @ApiProperty({ type: [TokenView] })
  items!: TokenView[];
}

class RoleReachView {
  @ApiProperty({ example: 'project manager' })
  role!: string;

  @ApiProperty({ enum: REACHES, description: 'For everything, in the project, or for what the person owns.' })
  reach!: Reach;
}

export class PermissionView {
  @ApiProperty({ enum: PERMISSION_NAMES })
  id!: Permission;

  @ApiProperty()
  description!: string;

  @ApiProperty({ type: [RoleReachView], description: 'The roles that have it.' })
  roles!: RoleReachView[];
}

export function permissionViews(): PermissionView[] {
  return PERMISSION_NAMES.map((id) => ({
    id,
    description: PERMISSIONS[id],
    roles: Object.entries(ROLES).flatMap(([role, { reach, permissions }]) =>
      permissions.has(id) ? [{ role, reach }] : [],
    ),
  }));
}

export function toTokenView(token: AccessToken, owner: User, now: Date): TokenView {
  const { id, name, display, scopes, addresses, createdAt, expiresAt, revokedAt } = token;
  const { lastUsedAt: at, lastUsedAddress: address, lastUsedAgent: userAgent } = token;
  return {
    ...{ id, name, display, scopes, addresses, createdAt, expiresAt, revokedAt },
    owner: { id: owner.id, label: labelOf(owner) },
    status: revokedAt ? 'revoked' : expiresAt <= now ? 'expired' : 'active',
    lastUsed: at && { at, address, userAgent },
  };
}
