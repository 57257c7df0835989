import { z } from 'zod';

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** `15s`, `2m`, `500ms` → ms. */
export const duration = z
  .string({ error: 'must be a duration such as 15s, 2m or 500ms' })
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'must be a duration such as 15s, 2m or 500ms')
  .transform((text) => toNumber(text, MILLISECONDS))
  .refine((ms) => ms < 2 ** 31, 'must be less than 25 days')
  .or(z.literal(0));

/** A duration of more than 24 days is no timer but a date's distance; → ms. */
export const longDuration = z
  .string({ error: 'must be a duration such as 90d or 12h' })
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, 'must be a duration such as 90d or 12h')
  .transform((text) => toNumber(text, MILLISECONDS));

/** `32mb`, `512kb` → bytes. */
export const byteSize = z
  .string({ error: 'must be a size such as 32mb' })
  .regex(/^\d+(\.\d+)?(b|kb|mb|gb)$/i, 'must be a size such as 32mb')
  .transform((text) => Math.floor(toNumber(text.toLowerCase(), BYTES)));

function toNumber(text: string, units: Readonly<Record<string, number>>): number {
  const amount = Number.parseFloat(text);
  return amount * (units[text.replace(/^[\d.]+/, '')] ?? 1);
}
