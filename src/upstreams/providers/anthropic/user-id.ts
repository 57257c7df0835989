import { createHash } from 'node:crypto';

const LONGEST = 256;

/** The caller's id of its user. The API wants no personal data: an address, or what is too long, becomes its SHA-256. */
export function toUserId(user: string): string {
  return user.length <= LONGEST && !user.includes('@') ? user : createHash('sha256').update(user).digest('hex');
}
