/**
 * Tables whose rows are not in backups: answers stored for a repeat with the same Idempotency-Key are content and kept
 * only for hours, and the processes' use of upstream limits is valid only for a second.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['idempotent_calls', 'capacity_shares']);

/** Prompts and answers, which a backup contains only when asked. */
export const CONTENT = 'call_contents';

export function isLeftOut(table: string): boolean {
  return LEFT_OUT.has(table);
}

/** Whether a statement of a backup copies such rows: older backups contain them. */
export function copiesLeftOutRows(statement: string): boolean {
  return isLeftOut(/^COPY (\S+) /.exec(statement)?.[1] ?? '');
}

/** The check of such a backup, without the rows that are left out. */
export function withoutLeftOutChecks(statement: string): string {
  if (!statement.startsWith('DO $check$')) return statement;
  const isForLeftOutRows = (line: string) =>
    isLeftOut(/^ {2}IF \(SELECT count\(\*\)::text FROM (\S+)\) /.exec(line)?.[1] ?? '');
  return statement
    .split('\n')
    .filter((line) => !isForLeftOutRows(line))
    .join('\n');
}
