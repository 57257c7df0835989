/** A row was refused: it could not be written in time, or too many were waiting already. */
export class NotWrittenError extends Error {
  constructor(
    /** A statement had the row, and may have stored it or yet do so. */
    readonly mayBeStored: boolean,
    cause: unknown,
  ) {
    super('the row could not be written in time', { cause });
  }
}
