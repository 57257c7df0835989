import type { ApiKeyEntity } from './api-key.entity.js';
import { displayApiKey, hashApiKey, newApiKey } from './api-key.format.js';

export function newSecret(): { key: string; kept: Pick<ApiKeyEntity, 'keyHash' | 'display'> } {
  const key = newApiKey();
  return { key, kept: { keyHash: Buffer.from(hashApiKey(key), 'base64url'), display: displayApiKey(key) } };
}
