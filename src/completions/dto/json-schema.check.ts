import type { Check } from './checks.js';
import { wrongValue } from './fault.js';
import { anyObject } from './structure-checks.js';

/**
 * A JSON schema, which goes on as it came: a number whose digits the parser may have lost is a fault, since a provider
 * would get another number. The fault names the schema alone: the keys in it are the caller's own words.
 */
export const jsonSchema: Check = {
  ...anyObject,
  faultIn(value) {
    const fault = anyObject.faultIn(value);
    if (fault || !holdsRoundedInteger(value)) return fault;
    return wrongValue('a JSON schema without integers beyond 2^53', 'one');
  },
};

/** Without recursion: a schema may be nested deeper than the stack is. */
function holdsRoundedInteger(schema: unknown): boolean {
  const left = [schema];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'number' && isRounded(value)) return true;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner);
  }
  return false;
}

const INT64 = 2 ** 63;
/** Any number of this many digits is written as it was read. */
const EXACT_DIGITS = 15;

/**
 * Whether a number is an integer that is not sure to be the one that was sent. Bounds of the 64-bit types and of doubles
 * stand in many generated schemas and say "no limit": they go on, rounded as they are.
 */
function isRounded(value: number): boolean {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return false;
  const size = Math.abs(value);
  return size < 2 * INT64 && size !== INT64 && String(size).replace(/0+$/, '').length > EXACT_DIGITS;
}
