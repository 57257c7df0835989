import type { User } from '../../accounts/user.types.js';
import type { HeldPlan } from '../../billing/plan.types.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import type { ProjectRefView } from '../dto/project-ref.view.js';
import { toSpending } from '../shared/spending.js';
import type { UserPlanView, UserView } from './dto/user-view.dto.js';

export interface UserFacts {
  readonly plan: HeldPlan;
  readonly keys: number;
  readonly spent: UsageTotals | undefined;
  readonly isInvited: boolean;
  readonly project: ProjectRefView | null;
}

export function toUserView(user: User, { plan, keys, spent, isInvited, project }: UserFacts): UserView {
  const { id, email, name, role, kind, source, lastSeenAt, createdAt } = user;
  return {
    id,
    email,
    name,
    role,
    kind: kind === 'person' ? 'person' : 'service',
    project,
    source,
    status: user.disabledAt ? 'disabled' : isInvited ? 'invited' : 'active',
    plan: toUserPlanView(plan),
    keys,
    spentThisMonth: toSpending(spent),
    lastSeenAt,
    createdAt,
  };
}

export function toUserPlanView({ plan: { id, name }, since, until }: HeldPlan): UserPlanView {
  return { id, name, since, until };
}
