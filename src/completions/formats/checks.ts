import { type GatewayError, invalidRequest } from '../../common/gateway.error.js';
import * as schema from '../../common/json-schema.js';

export interface Check {
  /**
   * The schema in the API's documentation. Allows everything that the check accepts, except nulls that count as absent
   * and values with `isForeign`.
   */
  readonly schema: schema.JsonSchema;
  /** Describes valid values, worded to follow "expected". */
  readonly expected: string;
  faultIn(value: unknown): Fault | null;
}

/** Limits in characters (code points). A `pattern` must have a bounded length, as strings may be megabytes long. */
interface TextLimits {
  min?: number;
  max?: number;
  pattern?: RegExp;
  expected?: string;
}

export function text({ min = 0, max = Infinity, pattern, expected = textWords(min, max) }: TextLimits = {}): Check {
  const lengths = schema.bounds('minLength', min || undefined, 'maxLength', max);
  return {
    schema: schema.text(undefined, { ...lengths, ...(pattern && { pattern: pattern.source }) }),
    expected,
    faultIn(value) {
      if (typeof value !== 'string') return wrongType(expected, value);
      if (value.length < min || isLongerThan(value, max)) return wrongValue(expected);
      return pattern === undefined || pattern.test(value) ? null : wrongValue(expected);
    },
  };
}

export function oneOf(...values: readonly string[]): Check {
  return oneOfWords(values, wrongValue);
}

/** One of the format's values, or a value that only some providers have. */
export function oneOfOrForeign(...values: readonly string[]): Check {
  return oneOfWords(values, foreignValue);
}

function oneOfWords(values: readonly string[], fault: (expected: string) => Fault): Check {
  const expected = listed(values);
  const known = new Set<unknown>(values);
  return {
    schema: schema.oneOf(values),
    expected,
    faultIn(value) {
      if (known.has(value)) return null;
      return typeof value === 'string' ? fault(expected) : wrongType(expected, value);
    },
  };
}

export function numberBetween(min: number, max: number): Check {
  const expected = `a number from ${min} to ${max}`;
  return {
    schema: schema.number(undefined, min, max),
    expected,
    faultIn(value) {
      if (typeof value !== 'number') return wrongType(expected, value);
      return value >= min && value <= max ? null : wrongValue(expected);
    },
  };
}

/** Not beyond 2^53, where the parser has already rounded the integer. */
export function integer(min = -Infinity, max = Infinity): Check {
  const expected = integerWords(min, max);
  return {
    schema: schema.integer(undefined, min, max),
    expected,
    faultIn(value) {
      if (!Number.isInteger(value)) return wrongType(expected, value);
      if (!Number.isSafeInteger(value)) return wrongValue(expected, kindOf(value));
      const number = Number(value);
      return number >= min && number <= max ? null : wrongValue(expected);
    },
  };
}

export const flag: Check = {
  schema: schema.flag(),
  expected: 'a boolean',
  faultIn: (value) => (typeof value === 'boolean' ? null : wrongType('a boolean', value)),
};

/** `one of 'a', 'b'`, or `'a'` alone. */
export function listed(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`).join(', ');
  return values.length === 1 ? quoted : `one of ${quoted}`;
}

/** Counts code points only if the number of UTF-16 units is not sufficient to decide. */
export function isLongerThan(value: string, max: number): boolean {
  if (value.length <= max) return false;
  return value.length > 2 * max || Array.from(value).length > max;
}

function textWords(min: number, max: number): string {
  const kind = min > 0 ? 'a non-empty string' : 'a string';
  return max === Infinity ? kind : `${kind} of at most ${max} characters`;
}

function integerWords(min: number, max: number): string {
  if (max !== Infinity) return `an integer from ${min} to ${max}`;
  return min === -Infinity ? 'an integer' : `an integer of at least ${min}`;
}

export interface Fault {
  readonly code: 'missing_required_parameter' | 'invalid_type' | 'invalid_value';
  /** Relative to the checked value, for example `[0].content`; '' is the value itself. */
  readonly path: string;
  /** Worded to follow "expected", for example `a number from 0 to 2`. */
  readonly expected: string;
  /** The kind of the value, or a count. */
  readonly got?: string | undefined;
  /** The value is not part of OpenAI's format, but some upstreams may support it. */
  readonly isForeign?: true;
}

export function missing(expected: string): Fault {
  return { code: 'missing_required_parameter', path: '', expected };
}

export function wrongType(expected: string, value: unknown): Fault {
  return { code: 'invalid_type', path: '', expected, got: kindOf(value) };
}

export function wrongValue(expected: string, got?: string): Fault {
  return { code: 'invalid_value', path: '', expected, got };
}

export function foreignValue(expected: string): Fault {
  return { ...wrongValue(expected), isForeign: true };
}

/** The same fault, relative to the list or object that holds the value at `step` (`[3]` or `.name`). */
export function faultAt(step: string, fault: Fault): Fault {
  return { ...fault, path: step + fault.path };
}

/** The 400 for a fault whose path starts at the request body. */
export function faultError({ code, path, expected, got }: Fault): GatewayError {
  const instead = got === undefined ? '' : `, got ${got}`;
  const message = {
    missing_required_parameter: `Missing required parameter '${path}'. Please send ${expected}.`,
    invalid_type: `Invalid type for '${path}': expected ${expected}${instead}.`,
    invalid_value: `Invalid value for '${path}': expected ${expected}${instead}.`,
  }[code];
  return invalidRequest(code, path, message);
}

/** Worded to follow "got". */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'object':
      return 'an object';
    case 'number':
      return numberKind(value);
    default:
      return `a ${typeof value}`;
  }
}

function numberKind(value: number): string {
  if (Number.isSafeInteger(value)) return 'an integer';
  return Number.isInteger(value) ? 'an integer beyond 2^53' : 'a number that is not an integer';
}

const foreign = new WeakMap<object, Fault>();

/** Records the first value that is not in OpenAI's format but that another provider may support. */
export function noteForeignValue(request: object, fault: Fault): void {
  if (!foreign.has(request)) foreign.set(request, fault);
}

/** The fault for upstreams that only support OpenAI's values. */
export function foreignValueIn(request: object): Fault | null {
  return foreign.get(request) ?? null;
}
