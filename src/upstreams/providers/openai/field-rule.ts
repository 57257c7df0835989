import type { ReadonlyJsonObject } from '../../contract/json.js';
import type { FieldRule } from './dialect.js';

/** `__proto__` is never accepted: as a key it would set the prototype. */
export function fieldTest(rule: FieldRule): (field: string) => boolean {
  if ('only' in rule) {
    const only = new Set(rule.only);
    return (field) => only.has(field);
  }
  const except = new Set([...rule.except, '__proto__']);
  return (field) => !except.has(field);
}

/**
 * Returns the function that drops unsupported fields; unchanged objects keep their identity. APIs with `only` also lose
 * null fields, except those in `nullable`.
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
