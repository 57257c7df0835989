import type { AuditEntry } from './audit-api';

/** A changed field. */
export interface Change {
  field: string;
  /** As text; null if the field was missing. */
  before: string | null;
  after: string | null;
  isChanged: boolean;
}

/** The changes, field by field. If there is only one side, all fields were added or removed. */
export function changesOf({ before, after }: AuditEntry): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.map((field) => {
    const old = textOf(before, field);
    const now = textOf(after, field);
    return { field, before: old, after: now, isChanged: old !== now };
  });
}

function textOf(values: AuditEntry['before'], field: string): string | null {
  const value = values?.[field];
  if (value === undefined) return null;
  if (value === null) return 'none';
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
