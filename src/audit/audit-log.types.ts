import type { AuditEntry } from './audit.types.js';

/** Filters of the audit log; null does not filter. */
export interface AuditFilter {
  readonly from: Date | null;
  /** Before this time. */
  readonly to: Date | null;
  /** A user's id, or part of the name. */
  readonly actor: string | null;
  /** `key.create`, or `key` for all actions on keys. */
  readonly action: string | null;
  /** `user`, or `user:<id>`. */
  readonly target: string | null;
  /** Part of the actor, action, target or request id. */
  readonly text: string | null;
}

/** Entries, newest first. */
export interface AuditPage {
  readonly items: AuditEntry[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}
