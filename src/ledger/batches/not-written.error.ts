/** A row could not be written in time, or too many were waiting. */
export class NotWrittenError extends Error {
  constructor(
    /** The row was sent, and may be stored now or later. */
    readonly mayBeStored: boolean,
    cause: unknown,
  ) {
    super('the row could not be written in time', { cause });
  }
}
