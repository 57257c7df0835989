/** A person asked for something that cannot be done as asked; the message says what and is meant to be shown. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
