import { z } from 'zod';

const most = z.int().min(1).max(1_000_000_000).optional();

/** The fields of an upstream or a target that say what its provider allows. */
export const ALLOWED_USE = { requestsPerMinute: most, tokensPerMinute: most, concurrentCalls: most };

/** What a provider allows; each is limited only if it is there. */
export interface AllowedUse {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly concurrentCalls?: number | undefined;
}

/** Only the limits, of something that has them among its fields; null: it has none. */
export function allowedUseOf({ requestsPerMinute, tokensPerMinute, concurrentCalls }: AllowedUse): AllowedUse | null {
  if (requestsPerMinute === undefined && tokensPerMinute === undefined && concurrentCalls === undefined) return null;
  return { requestsPerMinute, tokensPerMinute, concurrentCalls };
}
