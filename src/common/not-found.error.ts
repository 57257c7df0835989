import { UsageError } from './usage.error.js';

/** There is no such thing, or it is not the asker's: nothing tells the two apart. */
export class NotFoundError extends UsageError {
  constructor(message: string) {
    super(message);
    this.name = 'NotFoundError';
  }
}
