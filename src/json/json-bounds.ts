/** What the JSON of one body may hold. */
export interface JsonBounds {
  /** Each list and object counts as one, and so does each comma. */
  readonly values: number;
  /** Levels within each other. */
  readonly depth: number;
  /** Fields of the outermost object. */
  readonly fields: number;
  /** Names that follow names in an order not seen before: the parser makes a new object layout for each. */
  readonly layouts: number;
  /** Bytes of a name. */
  readonly nameLength: number;
  /** Bytes that are not in strings of 2 kB or more. */
  readonly shortBytes: number;
}

/**
 * About ten times the largest real requests: 1,000 messages with 24 tools have 9,000 values, 128 tools with 2,400
 * parameters of different names have 13,000 values and 2,600 layouts, and no client sends more than 20 fields.
 *
 * A body within them keeps the event loop below 50 ms at a time. `test/loop-turns.e2e-spec.ts` measures it.
 */
export const BODY_BOUNDS: JsonBounds = {
  values: 100_000,
  depth: 1000,
  fields: 500,
  layouts: 25_000,
  nameLength: 64 * 1024,
  shortBytes: 8 * 1024 * 1024,
};
