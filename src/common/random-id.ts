import { randomBytes } from 'node:crypto';

const POOL_BYTES = 4096;

/**
 * Makes ids of `bytes` random bytes in hexadecimal behind a prefix; the CSPRNG is asked for 4 kB at a time. An id is read
 * out of memory in one piece: see `flatText`.
 */
export function idGenerator(prefix: string, bytes: 8 | 16): () => string {
  const id = Buffer.from(prefix + '0'.repeat(2 * bytes));
  let pool = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = Buffer.from(randomBytes(POOL_BYTES).toString('hex'));
      used = 0;
    }
    pool.copy(id, prefix.length, used, used + 2 * bytes);
    used += 2 * bytes;
    return id.toString('latin1');
  };
}
