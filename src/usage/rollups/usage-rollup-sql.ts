import { COUNTS, HISTOGRAMS } from './usage-rollup-kinds.js';

/** Longer histograms, in bytes, are compacted. */
const LONG_HISTOGRAM = 480;

export const DIMENSIONS = ['user_id', 'key_id', 'model', 'upstream', 'status', 'api'] as const;

export const SUMMED = [...COUNTS, ...HISTOGRAMS].join(', ');

export const SUMS_OF_ROWS = [
  ...COUNTS.map((column) => `sum(${column})::bigint AS ${column}`),
  ...HISTOGRAMS.map((column) => `${shortened(`string_agg(${column}, '')`)} AS ${column}`),
].join(', ');

export function addedTo(table: string): string {
  return [
    ...COUNTS.map((column) => `${column} = ${table}.${column} + excluded.${column}`),
    ...HISTOGRAMS.map((column) => `${column} = ${shortened(`(${table}.${column} || excluded.${column})`)}`),
  ].join(', ');
}

export function replaced(columns: readonly string[]): string {
  return columns.map((column) => `${column} = excluded.${column}`).join(', ');
}

export function shortened(histogram: string): string {
  return `CASE WHEN length(${histogram}) > ${LONG_HISTOGRAM} THEN usage_merged(${histogram}) ELSE ${histogram} END`;
}
