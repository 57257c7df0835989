import type { Actor } from '../audit/audit.types.js';
import { AddressList } from '../common/address-list.js';
import { UsageError } from '../common/usage.error.js';
import type { ApiKeyEntity } from './api-key.entity.js';

type Limits = Partial<Pick<ApiKeyEntity, 'models' | 'addresses' | 'expiresAt'>>;
type Bounds = Partial<Pick<ApiKeyEntity, 'boundBy' | 'boundModels' | 'boundAddresses' | 'boundExpiresAt'>>;

/**
 * The bounds for the owner after a change of a key's limits: limits set by others are bounds, those set by the owner
 * are not.
 */
export function toBounds({ models, addresses, expiresAt }: Limits, isOwn: boolean, { id }: Actor): Bounds {
  const bounds = {
    ...(models !== undefined && { boundModels: isOwn ? null : models }),
    ...(addresses !== undefined && { boundAddresses: isOwn ? null : addresses }),
    ...(expiresAt !== undefined && { boundExpiresAt: isOwn ? null : expiresAt }),
  };
  return Object.keys(bounds).length === 0 ? {} : { ...bounds, boundBy: id };
}

export function checkWithin(bounds: ApiKeyEntity, { models, addresses, expiresAt }: Limits): void {
  const { boundModels, boundAddresses, boundExpiresAt } = bounds;
  if (models !== undefined && boundModels && !models?.every((model) => boundModels.includes(model))) {
    throw beyond('models', boundModels.join(', '));
  }
  if (addresses !== undefined && boundAddresses) {
    const allowed = new AddressList(boundAddresses);
    if (!addresses?.every((address) => allowed.covers(address))) throw beyond('addresses', boundAddresses.join(', '));
  }
  if (expiresAt !== undefined && boundExpiresAt && !(expiresAt && expiresAt <= boundExpiresAt)) {
    throw beyond('expiresAt', `the time until ${boundExpiresAt.toISOString()}`);
  }
}

/** Throws a `UsageError` when the owner may not enable the key. */
export function checkMayEnable({ disabledBy, userId }: ApiKeyEntity): void {
  if (disabledBy === userId) return;
  throw new UsageError('An administrator disabled this key: only an administrator can enable it.', 'disabled');
}

export function isTakingOver({ disabledBy, userId }: ApiKeyEntity, disabled: boolean, isOwn: boolean): boolean {
  return disabled && disabledBy === userId && !isOwn;
}

function beyond(field: string, bounds: string): UsageError {
  return new UsageError(`An administrator limited this key to ${bounds}: you can only narrow it further.`, field);
}
