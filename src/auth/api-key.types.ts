import type { LimitChange } from '../limits/values/limit-values.js';
import type { ApiKeyEntity } from './api-key.entity.js';

type Limits = Pick<ApiKeyEntity, 'models' | 'addresses' | 'expiresAt'>;
type Stored = Pick<
  ApiKeyEntity,
  | 'id'
  | 'userId'
  | 'name'
  | 'note'
  | 'display'
  | 'issuer'
  | 'subject'
  | 'logsContent'
  | 'createdAt'
  | 'disabledAt'
  | 'revokedAt'
  | 'rotatedAt'
>;

export interface ApiKey extends Stored, Limits {
  status: 'active' | 'expired' | 'disabled' | 'revoked';
  disabledBy: 'owner' | 'administrator' | null;
  /** Limits set by an administrator, which the owner can only narrow. Null, also in a single field: no bound. */
  bounds: Limits | null;
  lastUsed: LastUse | null;
  /** Of the present secret; null: never. */
  secretUsedAt: Date | null;
  previous: PreviousSecret | null;
}

/** The secret before the last rotation, while it works. */
export interface PreviousSecret {
  display: string;
  expiresAt: Date;
  /** Null: never. */
  lastUsed: Omit<LastUse, 'model'> | null;
}

/** The last use of a key; the user agent is as the client sent it. */
export interface LastUse {
  at: Date;
  address: string | null;
  userAgent: string | null;
  /** Of the last call that named a model. */
  model: string | null;
}

export interface CreatedApiKey extends ApiKey {
  key: string;
}

export interface NewApiKey {
  userId: string;
  name: string;
  note?: string;
  /** Null: never. Undefined: as late as the key policy allows. */
  expiresAt?: Date | null;
  models?: string[] | null;
  addresses?: string[] | null;
  limits?: LimitChange;
  /**
   * A manager of the owner's project creates it: it must stay within the project's limits, and its limits are no bounds
   * for managers.
   */
  byManager?: boolean;
}

/** Undefined fields do not change. */
export type ApiKeyChanges = Partial<Omit<NewApiKey, 'userId' | 'byManager'>> & { disabled?: boolean };

/**
 * With `ownerId`, only a key of that user. Then the owner, or a manager of the owner's project, makes the change and
 * must keep the administrators' limits.
 */
export interface ApiKeyRef {
  id: string;
  ownerId?: string;
}

export type RotationOverlap = 'none' | '1h' | '24h' | '7d';

export interface PlaygroundKey {
  key: string;
  keyId: string;
  expiresAt: Date;
}

export type BulkKeyChange = 'disable' | 'enable' | 'revoke';
