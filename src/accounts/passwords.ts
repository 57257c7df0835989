import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../common/gateway.error.js';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../common/text.js';
import { UsageError } from '../common/usage.error.js';

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

const TOKEN_BYTES = 32;

/** A random token for a cookie or a link. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The stored form of a token. It needs no slow hash, because the token cannot be guessed. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
