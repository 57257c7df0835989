/** A JSON object of unknown content. */
export type JsonObject = Record<string, unknown>;

/** One that came from a caller: it is handed on, and never changed. */
export type ReadonlyJsonObject = Readonly<JsonObject>;

export function isObject(value: unknown): value is ReadonlyJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none where the value is no list. */
export function objectsOf(value: unknown): ReadonlyJsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The value if it is a string with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value if it is a count: a whole number from 0. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
