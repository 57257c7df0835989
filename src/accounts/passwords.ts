import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** argon2id with OWASP's second recommendation: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const CONCURRENT_HASHES = 2;

const derive = promisify(argon2);
let running = 0;
const waiting: (() => void)[] = [];

/** A password → its PHC string (`$argon2id$v=19$m=…`). Runs off the main thread, a few at a time: each takes memory. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await inTurn(() => derive('argon2id', { ...PARAMETERS, message: password, nonce: salt }));
  const { memory, passes, parallelism } = PARAMETERS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(hash)}`;
}

/**
 * Whether a password is the one behind a PHC string of `hashPassword`, with that string's own parameters.
 * @public
 */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!match) return false;
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, expected] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  const parameters = { memory, passes, parallelism, tagLength: expected.length };
  const hash = await inTurn(() => derive('argon2id', { ...parameters, message: password, nonce: salt }));
  return timingSafeEqual(hash, expected);
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  while (running >= CONCURRENT_HASHES) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
