import type { ApiKeyEntity } from './api-key.entity.js';
import type { ApiKey } from './api-key.types.js';

export function toApiKey(entity: ApiKeyEntity, now: number): ApiKey {
  const { id, userId, name, note, display, models, addresses, logsContent } = entity;
  const { createdAt, expiresAt, disabledAt, revokedAt, rotatedAt } = entity;
  return {
    ...{ id, userId, name, note, display, models, addresses, logsContent, status: statusOf(entity, now) },
    ...{ createdAt, expiresAt, disabledAt, revokedAt, rotatedAt },
    disabledBy: disabledAt && (entity.disabledBy === userId ? 'owner' : 'administrator'),
    bounds: toKeyBounds(entity),
    lastUsed: toLastUse(entity),
    secretUsedAt: toSecretUse(entity),
    previous: toPrevious(entity, now),
  };
}

export function toAudited(key: ApiKey) {
  const { userId, name, note, display, models, addresses, expiresAt } = key;
  return { userId, name, note, display, models, addresses, expiresAt };
}

function statusOf({ revokedAt, disabledAt, expiresAt }: ApiKeyEntity, now: number): ApiKey['status'] {
  if (revokedAt) return 'revoked';
  if (disabledAt) return 'disabled';
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active';
}

function toKeyBounds({ boundModels, boundAddresses, boundExpiresAt }: ApiKeyEntity): ApiKey['bounds'] {
  if (!boundModels && !boundAddresses && !boundExpiresAt) return null;
  return { models: boundModels, addresses: boundAddresses, expiresAt: boundExpiresAt };
}

function toLastUse({ lastUsedAt, lastUsedAddress, lastUsedAgent, lastUsedModel }: ApiKeyEntity): ApiKey['lastUsed'] {
  if (!lastUsedAt) return null;
  return { at: lastUsedAt, address: lastUsedAddress, userAgent: lastUsedAgent, model: lastUsedModel };
}

/** A key that was never rotated has only one secret. */
function toSecretUse({ secretUsedAt, lastUsedAt, previousDisplay }: ApiKeyEntity): Date | null {
  return secretUsedAt ?? (previousDisplay === null ? lastUsedAt : null);
}

function toPrevious(entity: ApiKeyEntity, now: number): ApiKey['previous'] {
  const { revokedAt, previousDisplay, previousExpiresAt } = entity;
  if (revokedAt || !previousDisplay || !previousExpiresAt || previousExpiresAt.getTime() <= now) return null;
  const { previousUsedAt: at, previousUsedAddress: address, previousUsedAgent: userAgent } = entity;
  return { display: previousDisplay, expiresAt: previousExpiresAt, lastUsed: at && { at, address, userAgent } };
}
