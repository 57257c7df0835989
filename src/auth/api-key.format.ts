import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^svc_[0-9A-Za-z]{36,120}$/;

/** A new key: `svc_`, 32 random base62 characters (190 bits), and a base62 CRC-32 of all before it. */
export function newApiKey(): string {
  const body = `svc_${randomBase62(RANDOM_LENGTH)}`;
  return body + checksumOf(body);
}

/** Checks the format and the checksum, without a query. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256 in base64url: the only stored form of a key. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** `svc_ab12…9xYz`, the only part of an existing key that is shown. */
export function displayApiKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Bytes from 248 are skipped, so that all characters are equally likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
