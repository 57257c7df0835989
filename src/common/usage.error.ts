export class UsageError extends Error {
  /** `field`: the invalid field under its API name. */
  constructor(
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The object does not exist or belongs to someone else; the error does not reveal which. */
export class NotFoundError extends UsageError {
  override readonly name = 'NotFoundError';
}
