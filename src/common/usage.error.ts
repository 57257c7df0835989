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
