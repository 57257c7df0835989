import type { AuditEntry } from './audit.types.js';

/** Filters of the audit log; missing ones do not filter. */
export interface AuditFilter {
  readonly from?: Date | undefined;
  /** Before this time. */
  readonly to?: Date | undefined;
  /** A user's id, or part of the name. */
  readonly actor?: string | undefined;
  /** `key.create`, or `key` for all actions on keys. */
  readonly action?: string | undefined;
  /** `user`, or `user:<id>`. */
  readonly target?: string | undefined;
  /** Part of the actor, action, target or request id. */
  readonly text?: string | undefined;
}

/** Entries, newest first. */
export interface AuditPage {
  readonly items: AuditEntry[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}
