import { COUNTS, HISTOGRAMS } from './usage-rollup-kinds.js';

/** Histograms longer than this many bytes are written anew, as short as can be. */
const LONG_HISTOGRAM = 480;

export const DIMENSIONS = ['user_id', 'key_id', 'model', 'upstream', 'status'] as const;

/** The columns of sums. */
export const SUMMED = [...COUNTS, ...HISTOGRAMS].join(', ');

/** The sums of several rows as one. */
export const SUMS_OF_ROWS = [
  ...COUNTS.map((column) => `sum(${column})::bigint AS ${column}`),
  ...HISTOGRAMS.map((column) => `${shortened(`string_agg(${column}, '')`)} AS ${column}`),
].join(', ');

/** Adds the new sums to those that are there. */
export function addedTo(table: string): string {
  return [
    ...COUNTS.map((column) => `${column} = ${table}.${column} + excluded.${column}`),
    ...HISTOGRAMS.map((column) => `${column} = ${shortened(`(${table}.${column} || excluded.${column})`)}`),
  ].join(', ');
}

/** Replaces the present values. */
export function replaced(columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ');
}

export function shortened(histogram: string): string {
  return `CASE WHEN length(${histogram}) > ${LONG_HISTOGRAM} THEN usage_merged(${histogram}) ELSE ${histogram} END`;
}
