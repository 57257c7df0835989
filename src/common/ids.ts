import { randomBytes } from 'node:crypto';

const REQUEST = 'req_';
const COMPLETION = 'chatcmpl-';
/** Ids of answers of other APIs. */
const ANSWERS = ['resp_', 'msg_', 'cmpl-'];

/** The completion id of a request. Both ids share their end, so that either finds the call in the ledger by its key. */
export function completionIdOf(requestId: string): string {
  return requestId.startsWith(REQUEST) ? flatText(COMPLETION + requestId.slice(REQUEST.length)) : requestId;
}

/** The end of a completion id, which all ids of its call share. */
export function endOfId(completionId: string): string {
  return completionId.startsWith(COMPLETION) ? completionId.slice(COMPLETION.length) : completionId;
}

/** The completion id of a request, or of the answer of any API. */
export function completionIdOfAny(id: string): string {
  const prefix = ANSWERS.find((one) => id.startsWith(one));
  return prefix === undefined ? completionIdOf(id) : COMPLETION + id.slice(prefix.length);
}

const TIME_DIGITS = 12;
const RANDOM_DIGITS = 20;
const POOL_BYTES = 4000;

/**
 * Generates ids that increase with time, like UUIDs of version 7, so that new rows are adjacent in an index: a prefix,
 * 48 bits of time and 80 random bits. Random bytes are fetched 4 kB at a time. Ids are flat strings, see `flatText`.
 */
export function idGenerator(prefix: string): () => string {
  const id = Buffer.from(prefix + '0'.repeat(TIME_DIGITS + RANDOM_DIGITS));
  const random = prefix.length + TIME_DIGITS;
  let time = 0;
  let pool = Buffer.alloc(0);
  let used = 0;
  return () => {
    const now = Date.now();
    if (now !== time) {
      time = now;
      id.write(now.toString(16).padStart(TIME_DIGITS, '0'), prefix.length, 'latin1');
    }
    if (used === pool.length) {
      pool = Buffer.from(randomBytes(POOL_BYTES).toString('hex'));
      used = 0;
    }
    pool.copy(id, random, used, used + RANDOM_DIGITS);
    used += RANDOM_DIGITS;
    return id.toString('latin1');
  };
}

/**
 * A copy of the text as one flat string. V8 stores slices and concatenations as references to their parts, and
 * `JSON.stringify` takes twice as long from the first of them on.
 */
export function flatText(text: string): string {
  return Buffer.from(text).toString();
}
