import type { User } from '../../accounts/user.types.js';
import type { ApiKey } from '../../auth/api-key.types.js';
import type { UsageTotals } from '../../usage/usage.types.js';
import { toSpending } from '../spending.js';
import type { KeyLastUseView, KeyOwnerView, KeyView } from './dto/key-view.dto.js';

export function toKeyView(key: ApiKey, owner: User, spent?: UsageTotals): KeyView {
  const { id, name, note, display, status, models, addresses, previous } = key;
  return {
    ...{ id, name, note, display, status, models, addresses, owner: toOwner(owner) },
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    disabledAt: key.disabledAt?.toISOString() ?? null,
    disabledBy: key.disabledBy,
    bounds: key.bounds && { ...key.bounds, expiresAt: key.bounds.expiresAt?.toISOString() ?? null },
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsed: toLastUse(key),
    spentThisMonth: toSpending(spent),
    previous: previous && { display: previous.display, expiresAt: previous.expiresAt.toISOString() },
  };
}

export function toLastUse({ lastUsed }: ApiKey): KeyLastUseView | null {
  return lastUsed && { ...lastUsed, at: lastUsed.at.toISOString() };
}

function toOwner({ id, email, kind, disabledAt }: User): KeyOwnerView {
  return { id, email, kind, disabled: disabledAt !== null };
}
