import { type Check, isLongerThan, listed, text } from './checks.js';
import { type Fault, faultAt, foreignValue, missing, wrongType, wrongValue } from './fault.js';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of an object. `onNull`: refuse it, keep it, or remove it, since many clients write null for "not set". */
export interface FieldRule {
  readonly check: Check;
  readonly required: boolean;
  readonly onNull: 'refuse' | 'keep' | 'remove';
}

export const required = (check: Check): FieldRule => ({ check, required: true, onNull: 'refuse' });
export const requiredOrNull = (check: Check): FieldRule => ({ check, required: true, onNull: 'keep' });
/** The format has no null here: it counts as absent and is not passed on. */
export const optional = (check: Check): FieldRule => ({ check, required: false, onNull: 'remove' });
export const nullable = (check: Check): FieldRule => ({ check, required: false, onNull: 'keep' });

/**
 * An object with these fields; others are not looked at. Nothing is copied, since a message may hold megabytes: a null
 * to be removed is deleted from the object itself.
 */
export function shape(fields: Readonly<Record<string, FieldRule>>, expected = 'an object'): Check {
  const rules = Object.entries(fields).map(([name, rule]) => ({ name, ...rule }));
  return {
    expected,
    faultIn(value) {
      if (!isJsonObject(value)) return wrongType(expected, value);
      let foreign: Fault | null = null;
      for (const { name, check, required, onNull } of rules) {
        const field = value[name];
        if (field === undefined) {
          if (required) return faultAt(`.${name}`, missing(check.expected));
        } else if (field === null && onNull !== 'refuse') {
          if (onNull === 'remove') delete value[name];
        } else {
          const fault = check.faultIn(field);
          if (fault && !fault.isForeign) return faultAt(`.${name}`, fault);
          if (fault) foreign ??= faultAt(`.${name}`, fault);
        }
      }
      return foreign;
    },
  };
}

/** An object whose string field `tag` says which of the variants it is; what else
 * it may be where only a provider has it, `isForeign` tells. */
export function tagged(
  tag: string,
  variants: Readonly<Record<string, Check>>,
  expected: string,
  isForeign: (name: string) => boolean = () => false,
): Check {
  const checks = new Map<unknown, Check>(Object.entries(variants));
  const names = listed(Object.keys(variants));
  return {
    expected,
    faultIn(value) {
      if (!isJsonObject(value)) return wrongType(expected, value);
      const name = value[tag];
      const check = checks.get(name);
      if (check !== undefined) return check.faultIn(value);
      const isProviders = typeof name === 'string' && name !== '' && isForeign(name);
      return faultAt(`.${tag}`, isProviders ? foreignValue(names) : tagFault(name, names));
    },
  };
}

function tagFault(name: unknown, expected: string): Fault {
  if (name === undefined) return missing(expected);
  return typeof name === 'string' ? wrongValue(expected) : wrongType(expected, name);
}

/** A list of `min` to `max` items. */
export function list(item: Check, expected: string, min = 0, max = Infinity): Check {
  return {
    expected,
    faultIn(value) {
      if (!Array.isArray(value)) return wrongType(expected, value);
      if (value.length < min) return wrongValue(expected, 'an empty list');
      if (value.length > max) return wrongValue(expected, `${value.length} items`);
      let foreign: Fault | null = null;
      for (let index = 0; index < value.length; index++) {
        const fault = item.faultIn(value[index]);
        if (fault && !fault.isForeign) return faultAt(`[${index}]`, fault);
        if (fault) foreign ??= faultAt(`[${index}]`, fault);
      }
      return foreign;
    },
  };
}

/** A string or what `other` takes. */
export function textOr(other: Check, simple: Check = text()): Check {
  const expected = `${simple.expected} or ${other.expected}`;
  return {
    expected,
    faultIn(value) {
      if (typeof value === 'string') return simple.faultIn(value);
      return typeof value === 'object' && value !== null ? other.faultIn(value) : wrongType(expected, value);
    },
  };
}

/** Limits of a `record`: the number of its keys, and their length in characters. */
interface RecordLimits {
  maxKeys?: number;
  maxKeyLength?: number;
}

/** An object with any keys. A fault names the object alone: its keys are the caller's own words. */
export function record(
  entry: Check,
  expected: string,
  { maxKeys = Infinity, maxKeyLength = Infinity }: RecordLimits = {},
): Check {
  return {
    expected,
    faultIn(value) {
      if (!isJsonObject(value)) return wrongType(expected, value);
      const keys = Object.keys(value);
      if (keys.length > maxKeys) return wrongValue(`at most ${maxKeys} keys`, String(keys.length));
      for (const key of keys) {
        if (isLongerThan(key, maxKeyLength)) return wrongValue(`keys of at most ${maxKeyLength} characters`);
        const fault = entry.faultIn(value[key]);
        if (fault) return { ...fault, path: '', expected: `every value to be ${entry.expected}` };
      }
      return null;
    },
  };
}

/** An object that is passed on unread, for example a JSON schema. */
export const anyObject: Check = shape({});
