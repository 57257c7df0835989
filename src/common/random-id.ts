import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4096;

/** Makes ids of `bytes` random bytes in hexadecimal behind a prefix; the CSPRNG is asked for 4 kB at a time. */
export function idGenerator(prefix: string, bytes: 8 | 16): () => string {
  let pool = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += bytes;
    return prefix + pool.toString('hex', used - bytes, used);
  };
}
