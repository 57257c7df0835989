/**
 * Tables whose rows stay out of backups: answers kept for a repeat with the same Idempotency-Key are content, for hours, and
 * what processes use of upstreams' limits is true for a second.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['idempotent_calls', 'capacity_shares']);

export function isLeftOut(table: string): boolean {
  return LEFT_OUT.has(table);
}

/** Whether a statement of a backup copies such rows in: backups made before they were left out hold them. */
export function copiesLeftOutRows(statement: string): boolean {
  return isLeftOut(/^COPY (\S+) /.exec(statement)?.[1] ?? '');
}

/** The check of such a backup, without that of the rows that are left out. */
export function withoutLeftOutChecks(statement: string): string {
  if (!statement.startsWith('DO $check$')) return statement;
  const isOfLeftOut = (line: string) =>
    isLeftOut(/^ {2}IF \(SELECT count\(\*\)::text FROM (\S+)\) /.exec(line)?.[1] ?? '');
  return statement
    .split('\n')
    .filter((line) => !isOfLeftOut(line))
    .join('\n');
}
