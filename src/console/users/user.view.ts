import type { User } from '../../accounts/user.types.js';
import type { HeldPlan } from '../../billing/plan.types.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import { toSpending } from '../shared/spending.js';
import type { UserView } from './dto/user-view.dto.js';

export interface UserFacts {
  readonly plan: HeldPlan;
  readonly keys: number;
  readonly spent: UsageTotals | undefined;
  readonly isInvited: boolean;
}

export function toUserView(user: User, { plan, keys, spent, isInvited }: UserFacts): UserView {
  const { id, email, name, role, kind, source, lastSeenAt, createdAt } = user;
  return {
    id,
    email,
    name,
    role,
    kind,
    source,
    status: user.disabledAt ? 'disabled' : isInvited ? 'invited' : 'active',
    plan: {
      id: plan.plan.id,
      name: plan.plan.name,
      since: plan.since?.toISOString() ?? null,
      until: plan.until?.toISOString() ?? null,
    },
    keys,
    spentThisMonth: toSpending(spent),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
