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
