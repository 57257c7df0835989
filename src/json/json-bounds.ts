/** Limits of the JSON of one body. */
export interface JsonBounds {
  /** Lists, objects and commas: a fast upper limit of the number of values. */
  readonly values: number;
  /** Nested lists and objects. */
  readonly depth: number;
  /** Fields of the outermost object. */
  readonly fields: number;
  /** Names in an order not seen before; the parser creates an object layout for each. */
  readonly layouts: number;
  readonly nameLength: number;
  /** Bytes outside strings of 2 kB or more. */
  readonly shortBytes: number;
}

/**
 * About ten times the largest real requests: 1,000 messages with 24 tools have 9,000 values, 128 tools with 2,400
 * distinct parameters have 13,000 values and 2,600 layouts, and no client sends more than 20 fields.
 *
 * A body within these limits blocks the event loop for less than 50 ms at a time, as
 * `test/system/loop-turns.system-spec.ts` measures.
 */
export const BODY_BOUNDS: JsonBounds = {
  values: 100_000,
  depth: 1000,
  fields: 500,
  layouts: 25_000,
  nameLength: 64 * 1024,
  shortBytes: 8 * 1024 * 1024,
};
