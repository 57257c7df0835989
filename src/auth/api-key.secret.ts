import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyEntity } from './api-key.entity.js';

export function newSecret(): { key: string; stored: Pick<ApiKeyEntity, 'keyHash' | 'display'> } {
  const key = newApiKey();
  return { key, stored: { keyHash: Buffer.from(hashApiKey(key), 'base64url'), display: displayApiKey(key) } };
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const SHAPE = /^svc_[0-9A-Za-z]{36,120}$/;
const TOKEN_SHAPE = /^gat_[0-9A-Za-z]{40}$/;

/** A new key: `svc_`, 32 random base62 characters (190 bits), and a base62 CRC-32 of all before it. */
export function newApiKey(): string {
  return withChecksum(`svc_${randomBase62(32)}`);
}

/** A new access token: `gat_`, 34 random base62 characters, and the checksum. */
export function newAccessToken(): string {
  return withChecksum(`gat_${randomBase62(34)}`);
}

function withChecksum(body: string): string {
  return body + checksumOf(body);
}

/** Checks the format and the checksum, without a query. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && hasChecksum(text);
}

export function isAccessToken(text: string): boolean {
  return TOKEN_SHAPE.test(text) && hasChecksum(text);
}

function hasChecksum(text: string): boolean {
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256 in base64url: the only stored form of a key or token. */
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
