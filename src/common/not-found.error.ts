import { UsageError } from './usage.error.js';

/** The object does not exist or belongs to someone else; the error does not reveal which. */
export class NotFoundError extends UsageError {
  override readonly name = 'NotFoundError';
}
