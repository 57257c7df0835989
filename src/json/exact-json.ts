declare global {
  /** ECMAScript 2026; not in TypeScript's library yet. */
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** An integer that may not fit a double, with the characters around a value; text within strings rarely matches. */
const LONG_INTEGER = /(?:^|[:[,])\s*-?\d{16,}\s*(?:[,}\]]|$)/;

/**
 * `JSON.parse`, except that integers beyond 2^53 keep their digits: they become objects that `JSON.stringify` writes
 * unchanged. Tool arguments and results may hold such ids.
 */
export function parseExactly(text: string): unknown {
  return LONG_INTEGER.test(text) ? withoutRaw(JSON.parse(text, keepDigits)) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, { source }: { source: string }): unknown {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? JSON.rawJSON(source)
    : value;
}

/** If the whole text is such a number, it becomes an ordinary number. */
function withoutRaw(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : value;
}

/** The parsed JSON, or the text itself if it is not JSON. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
