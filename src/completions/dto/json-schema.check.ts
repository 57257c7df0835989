import type { Check } from './checks.js';
import { wrongValue } from './fault.js';
import { anyObject } from './structure-checks.js';

/**
 * A JSON schema, forwarded unchanged. Refuses a number whose digits the parser may have lost, as the provider would get
 * another number. The fault does not name keys in the schema, as they are the caller's text.
 */
export const jsonSchema: Check = {
  ...anyObject,
  faultIn(value) {
    const fault = anyObject.faultIn(value);
    if (fault || !holdsRoundedInteger(value)) return fault;
    return wrongValue('a JSON schema without integers beyond 2^53', 'one');
  },
};

/** Not recursive: schemas may be nested deeper than the stack allows. */
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
/** Numbers with this many digits are written as they were read. */
const EXACT_DIGITS = 15;

/**
 * Whether an integer may differ from the one that was sent. Bounds of the 64-bit types and of doubles, which generated
 * schemas use for "no limit", are allowed despite rounding.
 */
function isRounded(value: number): boolean {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return false;
  const size = Math.abs(value);
  return size < 2 * INT64 && size !== INT64 && String(size).replace(/0+$/, '').length > EXACT_DIGITS;
}
