import type { User } from '../../accounts/user.types.js';
import type { ApiKey } from '../../auth/api-key.types.js';
import { toShownLimits } from '../../limits/values/limit-values.js';
import type { OwnLimits } from '../../limits/values/limit-values.types.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import type { ProjectRefView } from '../dto/project-ref.view.js';
import { toSpending } from '../shared/spending.js';
import type { KeyBoundsView, KeyOwnerView, KeyView } from './dto/key-view.dto.js';

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
