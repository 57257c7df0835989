import type { LimitChange } from '../limits/values/limit-values.js';

/** A key as it may be shown, any time. */
export interface ApiKey {
  id: string;
  userId: string;
  name: string;
  note: string;
  display: string;
  models: string[] | null;
  addresses: string[] | null;
  status: 'active' | 'expired' | 'disabled' | 'revoked';
  createdAt: Date;
  expiresAt: Date | null;
  disabledAt: Date | null;
  /** Null while it is not disabled. */
  disabledBy: 'owner' | 'administrator' | null;
  /** What an administrator has narrowed it to: its owner cannot go beyond. Null: to nothing. */
  bounds: KeyBounds | null;
  revokedAt: Date | null;
  lastUsed: LastUse | null;
  /** The secret before the last rotation, while it is still taken. */
  previous: { display: string; expiresAt: Date } | null;
}

/** Null in it does not bind. */
interface KeyBounds {
  models: string[] | null;
  addresses: string[] | null;
  expiresAt: Date | null;
}

/** The last use of a key; what it came from is as the client says. */
export interface LastUse {
  at: Date;
  address: string | null;
  userAgent: string | null;
  /** The model of the last call that named one. */
  model: string | null;
}

/** A key just made or rotated: the only time that `key` is seen. */
export interface CreatedApiKey extends ApiKey {
  key: string;
}

export interface NewApiKey {
  userId: string;
  name: string;
  note?: string;
  /** Null: never. Left out: as late as the key policy allows. */
  expiresAt?: Date | null;
  models?: string[] | null;
  addresses?: string[] | null;
  limits?: LimitChange;
}

/** What can be changed of a key; what is left out stays. */
export type ApiKeyChanges = Partial<Omit<NewApiKey, 'userId'>> & { disabled?: boolean };

/** A key by its id; with `ownerId` only if it is that user's, who is then bound by what administrators left him. */
export interface ApiKeyRef {
  id: string;
  ownerId?: string;
}

/** For how long after a rotation the secret before is still taken. */
export type RotationOverlap = 'none' | '1h' | '24h' | '7d';

/** A key of a few minutes that the console's playground calls with. */
export interface PlaygroundKey {
  key: string;
  keyId: string;
  expiresAt: Date;
}

/** What can be done to many keys in one step. */
export type BulkKeyChange = 'disable' | 'enable' | 'revoke';
