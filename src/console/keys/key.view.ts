import type { User } from '../../accounts/user.types.js';
import type { ApiKey } from '../../auth/api-key.types.js';
import { toShownLimits } from '../../limits/values/limit-values.js';
import type { OwnLimits } from '../../limits/values/limit-values.types.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import type { ProjectRefView } from '../dto/project-ref.view.js';
import type { BudgetView, RateView } from '../limits/dto/user-limits.view.js';
import { toSpending } from '../shared/spending.js';
import type { KeyBoundsView, KeyOwnerView, KeyView } from './dto/key-view.dto.js';

interface KeyFacts {
  readonly spent?: UsageTotals | undefined;
  readonly limits?: OwnLimits | undefined;
  readonly budgets?: BudgetView[] | undefined;
  readonly rates: RateView[];
  readonly project: ProjectRefView | null;
}

export function toKeyView(
  key: ApiKey,
  owner: User,
  { spent, limits, budgets = [], rates, project }: KeyFacts,
): KeyView {
  const { userId: _, ...shown } = key;
  return {
    ...shown,
    owner: toOwner(owner),
    project,
    bounds: toBoundsView(key, limits),
    limits: toShownLimits(limits?.values ?? {}),
    budgets,
    rates,
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
