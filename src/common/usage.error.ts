/** A person asked for something that cannot be done as asked; the message says what and is meant to be shown. */
export class UsageError extends Error {
  /** `field`: what was given wrongly, by the name that an API gives it. */
  constructor(
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}
