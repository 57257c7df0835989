import type { ReadonlyJsonObject } from '../../contract/json.js';
import type { FieldRule } from './dialect.js';

/** Never accepts `__proto__`, which would set the prototype. */
export function fieldTest(rule: FieldRule): (field: string) => boolean {
  if ('only' in rule) {
    const only = new Set(rule.only);
    return (field) => only.has(field);
  }
  const except = new Set([...rule.except, '__proto__']);
  return (field) => !except.has(field);
}

/**
 * Returns the function that drops unsupported fields; it returns the same object if nothing changes. For APIs with
 * `only` it also drops null fields, except the fields in `nullable`.
 */
export function fieldPicker(
  rule: FieldRule,
  nullable: readonly string[] = [],
): (object: ReadonlyJsonObject) => ReadonlyJsonObject {
  const accepts = fieldTest(rule);
  const strict = 'only' in rule;
  const isForwarded = (field: string, value: unknown) =>
    accepts(field) && !(strict && value === null && !nullable.includes(field));

  return (object) => {
    for (const field in object) {
      if (!isForwarded(field, object[field])) {
        return Object.fromEntries(Object.entries(object).filter(([name, value]) => isForwarded(name, value)));
      }
    }
    return object;
  };
}
