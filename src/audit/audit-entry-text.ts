/**
 * The text of an entry of `audit_log` that the audit chain hashes, as SQL. It must never change, because hashes of it
 * are also stored outside the database.
 */
export function auditEntryText(row: string): string {
  const columns = [
    `${row}.id`,
    `to_char(${row}.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
    ...['actor_kind', 'actor_id', 'actor_name', 'action', 'target_kind', 'target_id', 'target_name'],
    ...['before', 'after', 'address', 'request_id'],
  ];
  const values = columns.map((column) => (column.includes('.') ? column : `${row}.${column}`));
  return `jsonb_build_array(${values.join(', ')})::text`;
}
