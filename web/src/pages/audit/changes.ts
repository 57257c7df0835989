import type { AuditEntry } from './audit-api';

/** One field of what was changed. */
export interface Change {
  field: string;
  /** As text; null: it was not there. */
  before: string | null;
  after: string | null;
  isChanged: boolean;
}

/** Field by field from what to what. Where there is no other side, everything came or went. */
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
