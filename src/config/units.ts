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
