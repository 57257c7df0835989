import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../common/gateway.error.js';

/** argon2id with OWASP's second recommendation: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
const CONCURRENT_HASHES = 2;
/** About two seconds of work on a small machine. */
const MAX_WAITING = 64;

const derive = promisify(argon2);
let running = 0;
const waiting: (() => void)[] = [];

/** Looks like a real hash, takes as long to check, and matches no password. */
export const DUMMY_HASH = toPhc(randomBytes(SALT_BYTES), randomBytes(PARAMETERS.tagLength));

/**
 * A password → its PHC string (`$argon2id$v=19$m=…`). Runs off the main thread, a few at a time, because each needs
 * memory.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return toPhc(salt, await inTurn(() => derive('argon2id', { ...PARAMETERS, message: password, nonce: salt })));
}

/** Whether a password matches a PHC string of `hashPassword`, with the string's own parameters. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!match) return false;
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, expected] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  const parameters = { memory, passes, parallelism, tagLength: expected.length };
  const hash = await inTurn(() => derive('argon2id', { ...parameters, message: password, nonce: salt }));
  return timingSafeEqual(hash, expected);
}

/** Callers are served in order; new ones are refused while too many wait. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running < CONCURRENT_HASHES) running++;
  else if (waiting.length >= MAX_WAITING) throw overloaded();
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function overloaded(): GatewayError {
  const message = 'Too many passwords are being checked. Please try again in a few seconds.';
  return new GatewayError(
    503,
    { message, type: 'server_error', param: null, code: 'overloaded' },
    { 'retry-after': '3' },
  );
}

function toPhc(salt: Uint8Array, hash: Uint8Array): string {
  const { memory, passes, parallelism } = PARAMETERS;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(hash)}`;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
