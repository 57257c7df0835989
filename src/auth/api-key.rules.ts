import { AddressList } from '../common/address-list.js';
import { UsageError } from '../common/usage.error.js';

const MAX_NAME_LENGTH = 100;
const MAX_NOTE_LENGTH = 500;
const CONTROL_CHARACTER = /\p{Cc}/u;
const WHOLE_KEY = /svc_\w{20}/;

/** Checks for a key's fields; each returns the value to store, or throws a `UsageError` that names the field. */
export const keyRules = {
  name(wish: string): string {
    const name = wish.trim();
    if (name === '' || name.length > MAX_NAME_LENGTH || CONTROL_CHARACTER.test(name)) {
      throw new UsageError(`A key's name must have 1 to ${MAX_NAME_LENGTH} characters on one line.`, 'name');
    }
    return withoutKey(name, 'name');
  },

  note(wish: string): string {
    const note = wish.trim();
    if (note.length > MAX_NOTE_LENGTH || note.includes('\0')) {
      throw new UsageError(`A key's note can have at most ${MAX_NOTE_LENGTH} characters.`, 'note');
    }
    return withoutKey(note, 'note');
  },

  models(wish: readonly string[] | null): string[] | null {
    if (wish === null) return null;
    if (wish.length === 0) throw new UsageError('A key must allow at least one model.', 'models');
    return [...new Set(wish)];
  },

  addresses(wish: readonly string[] | null): string[] | null {
    if (wish === null) return null;
    if (wish.length === 0) throw new UsageError('A key must allow at least one address.', 'addresses');
    wish.forEach(checkAddress);
    return [...new Set(wish)];
  },

  /** `since`: when the secret was created; `maxLifetime` (ms) counts from then. */
  expiry(wish: Date | null, since: Date, maxLifetime: number | null, now: Date): Date | null {
    const latest = maxLifetime === null ? null : new Date(since.getTime() + maxLifetime);
    if (wish === null) {
      if (latest) throw new UsageError(`A key must expire, no later than ${latest.toISOString()}.`, 'expiresAt');
      return null;
    }
    if (wish <= now) throw new UsageError('A key must expire in the future.', 'expiresAt');
    if (latest && wish > latest) {
      throw new UsageError(`A key must expire before ${latest.toISOString()}.`, 'expiresAt');
    }
    return wish;
  },
};

function withoutKey(text: string, field: string): string {
  if (WHOLE_KEY.test(text)) throw new UsageError(`Do not put the key itself into its ${field}.`, field);
  return text;
}

function checkAddress(address: string, index: number): void {
  try {
    new AddressList([address]);
  } catch (error) {
    throw new UsageError(`${(error as Error).message}.`, `addresses[${index}]`);
  }
}
