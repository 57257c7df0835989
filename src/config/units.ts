import { z } from 'zod';

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** A longer one would end a timer at once. */
const LONGEST_TIMER_MS = 2 ** 31;

/** `15s`, `2m`, `500ms`, or the bare number 0 → ms, short enough for a timer. */
export const duration = z.preprocess(
  (value) => (value === 0 ? '0ms' : value),
  amount(MILLISECONDS, 'must be a duration such as 15s, 2m or 500ms').refine(
    (ms) => ms < LONGEST_TIMER_MS,
    'must be less than 25 days',
  ),
);

/** `90d`, `12h` → ms, of any length. */
export const longDuration = amount(MILLISECONDS, 'must be a duration such as 90d or 12h');

/** `32mb`, `512kb` → bytes. */
export const byteSize = amount(BYTES, 'must be a size such as 32mb').refine((bytes) => bytes >= 1, 'must not be 0');

function amount(units: Readonly<Record<string, number>>, problem: string) {
  const shape = new RegExp(`^(\\d+(?:\\.\\d+)?)(${Object.keys(units).join('|')})$`, 'i');
  return z
    .string({ error: problem })
    .regex(shape, problem)
    .transform((text) => {
      const [, number = '', unit = ''] = shape.exec(text) ?? [];
      return Math.floor(Number(number) * (units[unit.toLowerCase()] ?? 1));
    });
}
