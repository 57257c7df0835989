import { randomBytes } from 'node:crypto';

/** Replaces a list while the surrounding JSON is parsed. It is secret, so upstreams cannot send it. */
const MARK = randomBytes(18).toString('base64url');

/** Shorter lists are parsed as usual. */
const LONG_LIST = /\[[\s\d.,eE+-]{64,}\]/g;

const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const VALID_LIST = new RegExp(`^\\[\\s*${NUMBER}(?:\\s*,\\s*${NUMBER})*\\s*\\]$`);

/** A response whose long lists of numbers stay text, as parsing and writing vectors takes three times as long. */
export interface ResponseWithLists {
  /** The parsed response, with a text instead of each long list. */
  readonly value: unknown;
  /** The JSON text of the list that this value replaces; undefined: it replaces none. */
  listOf(value: unknown): string | undefined;
}

/** Throws a `SyntaxError` if the text is not JSON. */
export function parseWithLists(text: string): ResponseWithLists {
  const lists: string[] = [];
  const rest = text.replace(LONG_LIST, (list) => `"${MARK}${lists.push(list) - 1}"`);
  const listOf = (value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? lists[Number(value.slice(MARK.length))] : undefined;
  try {
    const value: unknown = JSON.parse(rest);
    if (lists.every((list) => VALID_LIST.test(list))) return { value, listOf };
  } catch {
    // A list within a string: the whole is parsed below.
  }
  return { value: JSON.parse(text), listOf: () => undefined };
}
