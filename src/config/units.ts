import { z } from 'zod';

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** A longer delay makes a timer fire immediately. */
const MAX_TIMER = '24d';

/** `15s`, `2m`, `500ms`, or the bare number 0 → ms; at most as long as a timer allows. */
export function duration(least: string, most = MAX_TIMER) {
  return orZero(amount(MILLISECONDS, 'must be a duration such as 15s, 2m or 500ms', least, most));
}

/** `90d`, `12h`, or the bare number 0 → ms; can be longer than a timer allows. */
export function longDuration(least: string, most: string) {
  return orZero(amount(MILLISECONDS, 'must be a duration such as 90d or 12h', least, most));
}

function orZero<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === 0 ? '0ms' : value), schema);
}

/** `32mb`, `512kb` → bytes. */
export function byteSize(least: string, most: string) {
  return amount(BYTES, 'must be a size such as 32mb', least, most);
}

function amount(units: Readonly<Record<string, number>>, problem: string, least: string, most: string) {
  const shape = new RegExp(`^(\\d+(?:\\.\\d+)?)(${Object.keys(units).join('|')})$`, 'i');
  const toNumber = (text: string): number => {
    const [, number = '', unit = ''] = shape.exec(text) ?? [];
    return Math.floor(Number(number) * (units[unit.toLowerCase()] ?? 1));
  };
  return z
    .string({ error: problem })
    .regex(shape, problem)
    .transform(toNumber)
    .refine((value) => value >= toNumber(least), { error: `must be at least ${least}`, abort: true })
    .refine((value) => value <= toNumber(most), { error: `must be at most ${most}`, abort: true });
}

const DAY_MS = 86_400_000;

/** `2026-12-31` → ms since 1970 at the start of that day in UTC, or at its end. */
export function calendarDate(which: 'start' | 'end') {
  const problem = 'must be a date such as 2026-12-31';
  return z.iso
    .date({ error: problem })
    .transform((text) => Date.parse(`${text}T00:00:00Z`) + (which === 'end' ? DAY_MS : 0));
}

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
