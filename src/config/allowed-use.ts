import { z } from 'zod';

const most = z.int().min(1).max(1_000_000_000).optional();

/** The fields of an upstream or a target for its provider's limits. */
export const ALLOWED_USE = { requestsPerMinute: most, tokensPerMinute: most, concurrentCalls: most };

/** A provider's limits; missing ones do not apply. */
export interface AllowedUse {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly concurrentCalls?: number | undefined;
}

/** The limits among the fields; null if there are none. */
export function allowedUseOf({ requestsPerMinute, tokensPerMinute, concurrentCalls }: AllowedUse): AllowedUse | null {
  if (requestsPerMinute === undefined && tokensPerMinute === undefined && concurrentCalls === undefined) return null;
  return { requestsPerMinute, tokensPerMinute, concurrentCalls };
}
