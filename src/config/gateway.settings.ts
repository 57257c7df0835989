import { z } from 'zod';
import { AddressList } from '../common/address-list.js';
import { oidcSettings } from './oidc.settings.js';
import { byteSize, duration, longDuration } from './units.js';

/** A section whose keys all have defaults: it may be left out, or stand empty. */
function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess((value) => value ?? {}, z.strictObject(shape));
}

const count = z.int().min(0);
const addressOrRange = z.string().refine(isAddressOrRange, 'must be an address or a range such as 10.0.0.0/8');
const origin = z.string().refine(isOrigin, 'must be an origin such as https://app.example.com, without a path');

/** config/gateway.yaml; durations become ms, sizes bytes. */
export const gatewayFile = section({
  server: section({
    bodyLimit: byteSize.prefault('32mb'),
    keepAliveTimeout: duration.prefault('75s'),
    trustProxy: z.array(addressOrRange).default([]),
    corsOrigins: z.array(origin).default([]),
    modelsFormat: z.enum(['array', 'list']).default('array'),
  }),
  stream: section({ commitAfter: duration.prefault('15s'), heartbeat: duration.prefault('15s') }),
  retry: section({
    attempts: z.int().min(1).max(10).default(3),
    budgetPercent: z.number().min(0).max(100).default(20),
    floor: count.default(3),
    maxRetryAfter: duration.prefault('20s'),
    retryWithoutRefusedParameters: z.boolean().default(true),
  }),
  simulator: section({
    mode: z.enum(['auto', 'on', 'off']).default('auto'),
    tokensPerSecond: z.number().positive().max(1_000_000).default(50),
  }),
  auth: section({ cacheTtl: duration.prefault('30s'), cacheSize: z.int().min(1).default(100_000) }),
  shutdown: section({ drainDelay: duration.prefault('0s'), deadline: duration.prefault('30s') }),
  unsupported: z.enum(['reject', 'ignore']).default('reject'),
  signIn: section({
    local: z.boolean().default(true),
    oidc: oidcSettings,
    sessionIdle: longDuration.prefault('12h'),
    sessionMax: longDuration.prefault('7d'),
  }),
  keyPolicy: section({
    maxLifetime: longDuration.nullable().default(null),
    defaultLifetime: longDuration.prefault('90d'),
  }),
  usage: section({ retention: longDuration.prefault('400d') }),
  overload: section({ maxBufferedBytes: byteSize.prefault('256mb') }),
});

export type GatewayFile = z.output<typeof gatewayFile>;

function isAddressOrRange(text: string): boolean {
  try {
    new AddressList([text]);
    return true;
  } catch {
    return false;
  }
}

/** A browser sends exactly this form, so anything else would never match. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
