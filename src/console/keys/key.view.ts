import { ApiProperty } from '@nestjs/swagger';
import type { User } from '../../accounts/user.types.js';
import type { ApiKey } from '../../auth/api-key.types.js';
import { type OwnLimits, toShownLimits } from '../../limits/values/limit-values.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import { BudgetView, RateView } from '../limits/limits.view.js';
import { LimitsView } from '../shared/fields.js';
import { ListPageView } from '../shared/lists.js';
import {
  Integer,
  ProjectRefView,
  SpendingView,
  TextOrNull,
  TextsOrNull,
  TimeOrNull,
  toSpending,
  ViewOrNull,
} from '../shared/views.js';

interface KeyFacts {
  readonly spent: UsageTotals | undefined;
  readonly limits: OwnLimits | undefined;
  readonly use: Pick<KeyView, 'budgets' | 'rates'>;
  readonly project: ProjectRefView | null;
}

export function toKeyView(key: ApiKey, owner: User, { spent, limits, use, project }: KeyFacts): KeyView {
  const { userId: _, ...shown } = key;
  return {
    ...shown,
    owner: toOwner(owner),
    project,
    bounds: toBoundsView(key, limits),
    limits: toShownLimits(limits?.values ?? {}),
    ...use,
    spentThisMonth: toSpending(spent),
  };
}

function toBoundsView({ bounds }: ApiKey, limits?: OwnLimits): KeyBoundsView | null {
  const isLimited = limits !== undefined && Object.keys(limits.bounds).length > 0;
  if (!bounds && !isLimited) return null;
  const { models = null, addresses = null, expiresAt = null } = bounds ?? {};
  const ofLimits = toShownLimits(limits?.bounds ?? {});
  return { models, addresses, expiresAt, limits: ofLimits };
}

function toOwner({ id, email, name, kind, disabledAt }: User): KeyOwnerView {
  return { id, email, name, kind, disabled: disabledAt !== null };
}

const STATUSES = ['active', 'expired', 'disabled', 'revoked'] as const;
const DISABLERS = ['owner', 'administrator'] as const;
const USER_KINDS = ['person', 'service', 'project'] as const;

class KeyOwnerView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @TextOrNull('Null for a project and its service accounts.')
  email!: string | null;

  @ApiProperty({ description: 'May be empty if there is an e-mail address.' })
  name!: string;

  @ApiProperty({ enum: USER_KINDS, description: '`project`: the key belongs to the project itself.' })
  kind!: (typeof USER_KINDS)[number];

  @ApiProperty({ description: 'Keys do not work while their owner is disabled.' })
  disabled!: boolean;
}

export class SecretUseView {
  @ApiProperty({ description: 'Accurate to a few seconds.' })
  at!: Date;

  @TextOrNull()
  address!: string | null;

  @TextOrNull('As stated by the client.')
  userAgent!: string | null;
}

export class KeyLastUseView extends SecretUseView {
  @TextOrNull('The model of the last call that named one.')
  model!: string | null;
}

export class PreviousSecretView {
  @ApiProperty({ example: 'svc_ab12…9xYz' })
  display!: string;

  @ApiProperty()
  expiresAt!: Date;

  @ViewOrNull(SecretUseView, 'The last use of this secret. Null: never.')
  lastUsed!: SecretUseView | null;
}

class KeyBoundsView {
  @TextsOrNull()
  models!: string[] | null;

  @TextsOrNull()
  addresses!: string[] | null;

  @TimeOrNull()
  expiresAt!: Date | null;

  @ApiProperty()
  limits!: LimitsView;
}

export class KeyView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  note!: string;

  @ApiProperty({ example: 'svc_ab12…9xYz', description: 'The part of the key that stays visible.' })
  display!: string;

  @TextOrNull('Of an identity, whose callers send tokens of this issuer; null: it is a key with a secret.')
  issuer!: string | null;

  @TextOrNull('Of an identity: its subject at the issuer.')
  subject!: string | null;

  @ApiProperty({ enum: STATUSES })
  status!: (typeof STATUSES)[number];

  @TextsOrNull('Null: all that its owner can use.')
  models!: string[] | null;

  @TextsOrNull('Null: any.')
  addresses!: string[] | null;

  @ApiProperty({ description: 'Whether prompts and answers of its calls are stored, encrypted.' })
  logsContent!: boolean;

  @ApiProperty({ description: 'The key’s own limits, in addition to its owner’s.' })
  limits!: LimitsView;

  @ApiProperty({ type: [BudgetView], description: 'Its own budgets, with their spending.' })
  budgets!: BudgetView[];

  @ApiProperty({ type: [RateView], description: 'Its own rates, with their current use.' })
  rates!: RateView[];

  @ApiProperty()
  owner!: KeyOwnerView;

  @ViewOrNull(ProjectRefView, 'The project that it belongs to, if any.')
  project!: ProjectRefView | null;

  @ApiProperty()
  createdAt!: Date;

  @TimeOrNull('Null: never.')
  expiresAt!: Date | null;

  @TimeOrNull()
  disabledAt!: Date | null;

  @ApiProperty({
    enum: DISABLERS,
    nullable: true,
    description: 'Only an administrator can enable a key that an administrator disabled. Null: it is not disabled.',
  })
  disabledBy!: (typeof DISABLERS)[number] | null;

  @ViewOrNull(KeyBoundsView, 'Restrictions set by an administrator; the owner can only tighten them. Null: none.')
  bounds!: KeyBoundsView | null;

  @TimeOrNull()
  revokedAt!: Date | null;

  @ViewOrNull(KeyLastUseView, 'Null: never used.')
  lastUsed!: KeyLastUseView | null;

  @TimeOrNull('Null: never rotated.')
  rotatedAt!: Date | null;

  @TimeOrNull('The last use of the present secret; `lastUsed` is that of either secret. Null: never.')
  secretUsedAt!: Date | null;

  @ApiProperty({ description: 'Since the first of the month, in UTC.' })
  spentThisMonth!: SpendingView;

  @ViewOrNull(PreviousSecretView, 'The previous secret, while it is valid.')
  previous!: PreviousSecretView | null;
}

export class KeyGuardView {
  @ApiProperty()
  guard!: string;

  @ApiProperty({ enum: ['all', 'plan', 'project', 'key', 'model'], description: '`all`: it applies to every call.' })
  from!: 'all' | 'plan' | 'project' | 'key' | 'model';

  @TextOrNull('The name of the plan, the project or the key, or the id of the model, which adds it to its calls.')
  name!: string | null;
}

export class KeyDetailsView extends KeyView {
  @ApiProperty({ type: [KeyGuardView], description: 'The guards of its calls, and what adds each of them.' })
  guards!: KeyGuardView[];
}

export class KeyPageView extends ListPageView {
  @ApiProperty({ type: [KeyView] })
  items!: KeyView[];
}

export class CreatedKeyView extends KeyView {
  @ApiProperty({ description: 'The key itself: shown only once and not stored.' })
  key!: string;
}

export class KeyActivityView {
  @ViewOrNull(KeyLastUseView)
  lastUsed!: KeyLastUseView | null;

  @ApiProperty({ description: 'Admitted calls of the last 24 hours.' })
  callsLast24h!: number;
}

export class KeyCallsView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @Integer('Admitted calls of the last 24 hours.')
  callsLast24h!: number;
}
