import { ApiProperty } from '@nestjs/swagger';
import { LimitsView } from '../../dto/limits.view.js';
import { SpendingView } from '../../dto/spending.view.js';
import { BudgetView, RateView } from '../../limits/dto/user-limits.view.js';
import { ListPageView } from '../../lists/list.view.js';

const STATUSES = ['active', 'expired', 'disabled', 'revoked'] as const;
const DISABLERS = ['owner', 'administrator'] as const;
const USER_KINDS = ['person', 'service'] as const;

export class KeyOwnerView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty({ enum: USER_KINDS })
  kind!: (typeof USER_KINDS)[number];

  @ApiProperty({ description: 'None of its keys works as long as its owner is disabled.' })
  disabled!: boolean;
}

export class KeyLastUseView {
  @ApiProperty({ format: 'date-time', description: 'Exact to some seconds.' })
  at!: string;

  @ApiProperty({ type: String, nullable: true })
  address!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'As the client says.' })
  userAgent!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Of the last call that named one.' })
  model!: string | null;
}

export class PreviousSecretView {
  @ApiProperty({ example: 'svc_ab12…9xYz' })
  display!: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt!: string;
}

export class KeyBoundsView {
  @ApiProperty({ type: [String], nullable: true })
  models!: string[] | null;

  @ApiProperty({ type: [String], nullable: true })
  addresses!: string[] | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt!: string | null;

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

  @ApiProperty({ example: 'svc_ab12…9xYz', description: 'The most of the key that is ever shown again.' })
  display!: string;

  @ApiProperty({ enum: STATUSES })
  status!: (typeof STATUSES)[number];

  @ApiProperty({ type: [String], nullable: true, description: 'Null: all that its owner may call.' })
  models!: string[] | null;

  @ApiProperty({ type: [String], nullable: true, description: 'Null: any.' })
  addresses!: string[] | null;

  @ApiProperty({ description: 'Of this key alone, beside what its owner has.' })
  limits!: LimitsView;

  @ApiProperty({ type: [BudgetView], description: 'Those of its own, with what is spent of them.' })
  budgets!: BudgetView[];

  @ApiProperty({ type: [RateView], description: 'Those of its own, with what is used of them now.' })
  rates!: RateView[];

  @ApiProperty()
  owner!: KeyOwnerView;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: never.' })
  expiresAt!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabledAt!: string | null;

  @ApiProperty({
    enum: DISABLERS,
    nullable: true,
    description: 'What an administrator disabled, only an administrator enables. Null: it is not disabled.',
  })
  disabledBy!: (typeof DISABLERS)[number] | null;

  @ApiProperty({
    type: KeyBoundsView,
    nullable: true,
    description: 'What an administrator has narrowed it to: its owner can only narrow it further. Null: to nothing.',
  })
  bounds!: KeyBoundsView | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revokedAt!: string | null;

  @ApiProperty({ type: KeyLastUseView, nullable: true, description: 'Null: never used.' })
  lastUsed!: KeyLastUseView | null;

  @ApiProperty({ description: 'Since the first of the month, in UTC.' })
  spentThisMonth!: SpendingView;

  @ApiProperty({
    type: PreviousSecretView,
    nullable: true,
    description: 'The secret before the last rotation, while it is taken.',
  })
  previous!: PreviousSecretView | null;
}

export class KeyPageView extends ListPageView {
  @ApiProperty({ type: [KeyView] })
  items!: KeyView[];
}

export class CreatedKeyView extends KeyView {
  @ApiProperty({ description: 'The key itself: shown this once, and kept nowhere.' })
  key!: string;
}

export class KeyActivityView {
  @ApiProperty({ type: KeyLastUseView, nullable: true })
  lastUsed!: KeyLastUseView | null;

  @ApiProperty({ description: 'Calls that were let in during the last 24 hours.' })
  callsLast24h!: number;
}

export class KeyCallsView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'Calls that were let in during the last 24 hours.' })
  callsLast24h!: number;
}
