import * as schema from '../../common/json-schema.js';
import {
  type Check,
  type Fault,
  faultAt,
  foreignValue,
  isLongerThan,
  listed,
  missing,
  text,
  wrongType,
  wrongValue,
} from './checks.js';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `onNull`: refuse it, keep it, or remove it, as many clients write null for "not set". */
export interface FieldRule {
  readonly check: Check;
  readonly required: boolean;
  readonly onNull: 'refuse' | 'keep' | 'remove';
  readonly about?: string | undefined;
  readonly isOlder?: true;
}

export function required(check: Check, about?: string): FieldRule {
  return { check, required: true, onNull: 'refuse', about };
}

export function requiredOrNull(check: Check): FieldRule {
  return { check, required: true, onNull: 'keep' };
}

/** Null counts as absent and is not forwarded. */
export function optional(check: Check, about?: string): FieldRule {
  return { check, required: false, onNull: 'remove', about };
}

export function nullable(check: Check, about?: string): FieldRule {
  return { check, required: false, onNull: 'keep', about };
}

export function older(rule: FieldRule): FieldRule {
  return { ...rule, isOlder: true };
}

export function objectSchema(fields: Readonly<Record<string, FieldRule>>, description?: string): schema.JsonSchema {
  const properties = Object.entries(fields).map(([name, rule]) => [name, fieldSchema(rule)] as const);
  const needed = Object.keys(fields).filter((name) => fields[name]?.required);
  return schema.object(Object.fromEntries(properties), needed, description);
}

function fieldSchema({ check, onNull, about, isOlder }: FieldRule): schema.JsonSchema {
  const own = onNull === 'keep' ? schema.orNull(check.schema) : check.schema;
  return { ...own, ...(about && { description: about }), ...(isOlder && { deprecated: true }) };
}

export function named(title: string, check: Check, description?: string): Check {
  return { ...check, schema: { title, ...check.schema, ...(description && { description }) } };
}

/**
 * An object with these fields; other fields are not checked. Nulls to be removed are deleted from the object itself, as
 * copying it may be expensive: a message may have megabytes.
 */
export function shape(fields: Readonly<Record<string, FieldRule>>, expected = 'an object'): Check {
  const rules = Object.entries(fields).map(([name, rule]) => ({ name, ...rule }));
  return {
    schema: objectSchema(fields),
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

/** An object whose string field `tag` selects the variant. `isForeign`: tags that only some providers support. */
export function tagged(
  tag: string,
  variants: Readonly<Record<string, Check>>,
  expected: string,
  isForeign: (name: string) => boolean = () => false,
): Check {
  const checks = new Map<unknown, Check>(Object.entries(variants));
  const names = listed(Object.keys(variants));
  return {
    schema: schema.either(Object.entries(variants).map(([name, check]) => variantSchema(tag, name, check.schema))),
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

function variantSchema(tag: string, name: string, variant: schema.JsonSchema): schema.JsonSchema {
  const properties = { [tag]: schema.oneOf([name]), ...variant.properties };
  return { ...variant, properties, required: [tag, ...(variant.required ?? [])] };
}

function tagFault(name: unknown, expected: string): Fault {
  if (name === undefined) return missing(expected);
  return typeof name === 'string' ? wrongValue(expected) : wrongType(expected, name);
}

export function list(item: Check, expected: string, min = 0, max = Infinity): Check {
  return {
    schema: { ...schema.list(item.schema), ...schema.bounds('minItems', min || undefined, 'maxItems', max) },
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

export function textOr(other: Check, simple: Check = text()): Check {
  const expected = `${simple.expected} or ${other.expected}`;
  return {
    schema: schema.either([simple.schema, other.schema]),
    expected,
    faultIn(value) {
      if (typeof value === 'string') return simple.faultIn(value);
      return typeof value === 'object' && value !== null ? other.faultIn(value) : wrongType(expected, value);
    },
  };
}

interface RecordLimits {
  maxKeys?: number;
  maxKeyLength?: number;
}

/** An object with any keys. Faults do not name its keys, as those are the caller's text. */
export function record(
  entry: Check,
  expected: string,
  { maxKeys = Infinity, maxKeyLength = Infinity }: RecordLimits = {},
): Check {
  return {
    schema: {
      type: 'object',
      additionalProperties: entry.schema,
      ...(maxKeys < Infinity && { maxProperties: maxKeys }),
      ...(maxKeyLength < Infinity && { propertyNames: { maxLength: maxKeyLength } }),
    },
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

/** An object that is forwarded unread, for example a JSON schema. */
export const anyObject: Check = { ...shape({}), schema: { type: 'object' } };
