/*
 * A backup is an SQL script that psql can run, too: it creates the tables, fills them, checks the result, and commits.
 * The gateway restores it without psql, so each statement ends with a marker line.
 */

export const FORMAT = 1;
export const TITLE = '-- Chat Completion Gateway backup';
export const END_OF_STATEMENT = '\n--;\n';
export const END_OF_ROWS = '\n\\.\n';
export const BEGIN = 'BEGIN;';
export const COMMIT = 'COMMIT;';

/** Only for psql. */
export const STOP_ON_ERROR = '\\set ON_ERROR_STOP on';

/** The settings of a session affect how rows are written and read, so backups and restores use these. */
export const SESSION_SETTINGS = [
  "SET LOCAL client_encoding = 'UTF8'",
  "SET LOCAL datestyle = 'ISO'",
  "SET LOCAL timezone = 'UTC'",
  "SET LOCAL bytea_output = 'hex'",
  'SET LOCAL extra_float_digits = 1',
  'SET LOCAL standard_conforming_strings = on',
  'SET LOCAL statement_timeout = 0',
];

export function copyFrom(table: string, columns: readonly string[]): string {
  return `COPY ${table} (${columns.join(', ')}) FROM stdin;`;
}

export function isCopyFrom(line: string): boolean {
  return /^COPY .+ FROM stdin;$/.test(line);
}
