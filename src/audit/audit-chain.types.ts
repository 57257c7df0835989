/** The state of the audit log. Stored elsewhere, it can prove later that no entry up to this position has changed. */
export interface AuditHead {
  readonly entries: number;
  /** SHA-256 of the last entry and the previous hash, in hex; empty without entries. */
  readonly hash: string;
}

/** The result of checking the chain. */
export interface AuditProof {
  readonly head: AuditHead;
  /** The first mismatch; null if the log is intact. */
  readonly fault: string | null;
}
