import type { AuditEntry } from './audit.types.js';

/** Which entries of the audit log are asked for; what is null does not narrow. */
export interface AuditFilter {
  readonly from: Date | null;
  /** Before this instant. */
  readonly to: Date | null;
  /** A user's id, or a part of the name. */
  readonly actor: string | null;
  /** `key.create`, or `key` for everything that is done to keys. */
  readonly action: string | null;
  /** `user`, or `user:<id>`. */
  readonly target: string | null;
  /** A part of who, what, where or the request id. */
  readonly text: string | null;
}

/** Entries, newest first. */
export interface AuditPage {
  readonly items: AuditEntry[];
  /** Where the next page begins; null where this one was the last. */
  readonly next: string | null;
}
