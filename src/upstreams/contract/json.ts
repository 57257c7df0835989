export type JsonObject = Record<string, unknown>;

/** From a caller; passed on and never changed. */
export type ReadonlyJsonObject = Readonly<JsonObject>;

export function isObject(value: unknown): value is ReadonlyJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): ReadonlyJsonObject {
  return isObject(value) ? value : {};
}

/** The value if it is a list, otherwise an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in a list; empty if the value is not a list. */
export function objectsOf(value: unknown): ReadonlyJsonObject[] {
  return listOf(value).filter(isObject);
}

/** The value if it is a non-empty string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** All texts in a value, except types. */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, inner]) => (name === 'type' ? '' : textsIn(inner)))
    .join('');
}

/** The value if it is a non-negative integer. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function withoutNulls(fields: ReadonlyJsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
