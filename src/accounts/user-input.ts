import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../common/password-length.js';
import { UsageError } from '../common/usage.error.js';
import { hashPassword } from './passwords.js';

const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
const CONTROL = /\p{Cc}/u;
const MAX_EMAIL_LENGTH = 254;
export const MAX_NAME_LENGTH = 100;

/**
 * An e-mail address for comparison. Only ASCII letters are folded: Unicode also folds other characters into them, such
 * as the Kelvin sign into k, but an address with such a character is a different one.
 */
export function foldedAddress(email: string): string {
  return email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** An e-mail address in its stored form. */
export function toAddress(email: string): string {
  const address = foldedAddress(email);
  if (address.length > MAX_EMAIL_LENGTH || !EMAIL.test(address)) {
    throw new UsageError('The e-mail address is not valid.', 'email');
  }
  return address;
}

export function toName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > MAX_NAME_LENGTH || CONTROL.test(trimmed)) {
    throw new UsageError(`A name must have at most ${MAX_NAME_LENGTH} printable characters.`, 'name');
  }
  return trimmed;
}

/** The hash of a password with a valid length. */
export async function toPasswordHash(password: string): Promise<string> {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    throw new UsageError(
      `A password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`,
      'password',
    );
  }
  return hashPassword(password);
}
