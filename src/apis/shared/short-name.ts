import { createHash } from 'node:crypto';

/** Most APIs accept tool names of up to this many characters. */
export const LONGEST_NAME = 64;
const HASH_LENGTH = 8;

/** `name` cut to a valid length, with a hash of `whole` so that it stays unique. */
export function shortName(name: string, whole = name): string {
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, LONGEST_NAME - HASH_LENGTH - 1)}_${hash}`;
}
