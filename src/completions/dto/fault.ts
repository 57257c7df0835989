import { type GatewayError, invalidRequest } from '../../common/gateway.error.js';

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
export function kindOf(value: unknown): string {
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
