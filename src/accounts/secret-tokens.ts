import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A token nobody can guess, as it stands in a cookie or a link. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What of a token is stored. It needs no slow hash: there is nothing to guess. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
