import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SealedContent {
  /** Identifies the key without revealing it. */
  readonly secretId: string;
  /** Nonce, authentication tag, and the encrypted text. */
  readonly bytes: Buffer;
}

/** Encrypts contents, each bound to its call: the bytes of one call cannot be shown as those of another. */
export class ContentCipher {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly newest: Buffer;

  /** Keys of 32 bytes, at least one; the first one encrypts. */
  constructor(keys: readonly Buffer[]) {
    if (!keys[0]) throw new Error('no key');
    this.keys = new Map(keys.map((key) => [idOf(key), key]));
    this.newest = keys[0];
  }

  async seal(callId: string, text: string): Promise<SealedContent> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.newest, nonce).setAAD(Buffer.from(callId));
    const encrypted = [cipher.update(await compress(text)), cipher.final()];
    return { secretId: idOf(this.newest), bytes: Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]) };
  }

  /** Rejects if the bytes were changed, or belong to another call; null if the gateway no longer has the key. */
  async open(callId: string, { secretId, bytes }: SealedContent): Promise<string | null> {
    const key = this.keys.get(secretId);
    if (!key) return null;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(callId))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const packed = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return (await decompress(packed)).toString();
  }
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('content log').update(key).digest('hex').slice(0, 16);
}
