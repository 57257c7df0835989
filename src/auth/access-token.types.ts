import type { AccessTokenEntity } from './access-token.entity.js';

/** An access token without its secret. */
export type AccessToken = Omit<AccessTokenEntity, 'tokenHash'>;

export interface NewAccessToken {
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly addresses?: readonly string[] | null | undefined;
  /** Undefined: after the default lifetime of the policy. */
  readonly expiresAt?: Date | undefined;
}

/** What an access token may create: nothing that can do more, or lives longer, than itself. */
export interface TokenBounds {
  readonly addresses: readonly string[] | null;
  readonly expiresAt: Date;
}

export interface TokenFilter {
  /** Null: everyone's. */
  readonly userId: string | null;
  readonly name?: string | undefined;
  readonly text: string;
}
