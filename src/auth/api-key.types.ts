/** A key as it may be shown, any time. */
export interface ApiKey {
  id: string;
  userId: string;
  name: string;
  display: string;
  models: string[] | null;
  addresses: string[] | null;
  status: 'active' | 'expired' | 'disabled' | 'revoked';
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** A key just made: the only time that `key` is seen. */
export interface CreatedApiKey extends ApiKey {
  key: string;
}

export interface NewApiKey {
  userId: string;
  name: string;
  expiresAt?: Date | null;
  models?: string[] | null;
  addresses?: string[] | null;
}
