import type { ReadonlyJsonObject } from '../../contract/json.js';
import type { FieldRule } from './dialect.js';

/** Whether an API takes a field. `__proto__` it never takes: as a key it would set a prototype. */
export function fieldTest(rule: FieldRule): (field: string) => boolean {
  if ('only' in rule) {
    const only = new Set(rule.only);
    return (field) => only.has(field);
  }
  const except = new Set([...rule.except, '__proto__']);
  return (field) => !except.has(field);
}

/**
 * Makes the function that leaves out of an object what an API does not take; the very object where it takes all. Null
 * fields, but for those of `nullable`, do not go to an API that takes `only` some.
 */
export function fieldPicker(
  rule: FieldRule,
  nullable: readonly string[] = [],
): (object: ReadonlyJsonObject) => ReadonlyJsonObject {
  const takes = fieldTest(rule);
  const strict = 'only' in rule;
  const isTaken = (field: string, value: unknown) =>
    takes(field) && !(strict && value === null && !nullable.includes(field));

  return (object) => {
    for (const field in object) {
      if (!isTaken(field, object[field])) {
        return Object.fromEntries(Object.entries(object).filter(([name, value]) => isTaken(name, value)));
      }
    }
    return object;
  };
}
