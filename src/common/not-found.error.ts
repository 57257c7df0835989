import { UsageError } from './usage.error.js';

/** The object does not exist or belongs to somebody else; the error does not tell which. */
export class NotFoundError extends UsageError {
  constructor(message: string) {
    super(message);
    this.name = 'NotFoundError';
  }
}
