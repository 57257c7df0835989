declare global {
  /** Part of ECMAScript 2026; the compiler's library does not have it yet. */
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** An integer of less digits is one that a double holds. */
const LONG_INTEGER = /\d{16}/;

/**
 * `JSON.parse`, but that an integer beyond 2^53 keeps its digits: it becomes an object that `JSON.stringify` writes as it
 * came. Arguments and results of tools hold such ids.
 */
export function parseExactly(text: string): unknown {
  return LONG_INTEGER.test(text) ? withoutRaw(JSON.parse(text, keepDigits)) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, { source }: { source: string }): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? JSON.rawJSON(source)
    : value;
}

/** A text that is such a number alone is no object. */
function withoutRaw(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : value;
}
