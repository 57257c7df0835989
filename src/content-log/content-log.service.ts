import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';

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

/** Encrypts contents, each bound to its id: the bytes of one call cannot be shown as those of another. */
export class ContentCipher {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly newest: Buffer;

  /** Keys of 32 bytes, at least one; the first one encrypts. */
  constructor(keys: readonly Buffer[]) {
    if (!keys[0]) throw new Error('no key');
    this.keys = new Map(keys.map((key) => [idOf(key), key]));
    this.newest = keys[0];
  }

  async seal(id: string, content: string | Buffer): Promise<SealedContent> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.newest, nonce).setAAD(Buffer.from(id));
    const encrypted = [cipher.update(await compress(content)), cipher.final()];
    return { secretId: idOf(this.newest), bytes: Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]) };
  }

  /** Rejects if the bytes were changed, or belong to another id; null if the gateway no longer has the key. */
  async open(id: string, { secretId, bytes }: SealedContent): Promise<Buffer | null> {
    const key = this.keys.get(secretId);
    if (!key) return null;
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(id))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const packed = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return decompress(packed);
  }
}

const ciphers = new WeakMap<readonly Buffer[], ContentCipher>();

/** The cipher for the current keys, which a reload can replace; null if there are none. */
export function currentCipher({ contentLogKeys }: Pick<Settings, 'contentLogKeys'>): ContentCipher | null {
  if (contentLogKeys.length === 0) return null;
  const cipher = ciphers.get(contentLogKeys) ?? new ContentCipher(contentLogKeys);
  ciphers.set(contentLogKeys, cipher);
  return cipher;
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('content log').update(key).digest('hex').slice(0, 16);
}

const FLUSH_MS = 1000;
/** The maximum number of contents that wait for the database; further ones are dropped to limit memory in an outage. */
const MAX_WAITING_BYTES = 64 * 1024 ** 2;

interface SealedCall extends LoggedCall, SealedContent {}

/** Writes the contents of calls, encrypted, once a second. Calls do not wait for it. */
@Injectable()
export class ContentLogService {
  private readonly logger = new Logger('ContentLog');
  private readonly sealing = new Set<Promise<void>>();
  private waiting: SealedCall[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
    });
  }

  /** Whether contents can be encrypted; otherwise none is logged. */
  get isPossible(): boolean {
    return currentCipher(this.settings) !== null;
  }

  /** Returns immediately and never throws. */
  add(call: LoggedCall, content: CallContent): void {
    const cipher = currentCipher(this.settings);
    if (!cipher) return;
    const work = this.seal(cipher, call, content)
      .catch((error) => logFailure(this.logger, 'A content could not be encrypted', error))
      .finally(() => this.sealing.delete(work));
    this.sealing.add(work);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.sealing);
    await this.flush();
  }

  private async seal(cipher: ContentCipher, call: LoggedCall, content: CallContent): Promise<void> {
    const sealed = await cipher.seal(call.id, JSON.stringify(content));
    this.keep({ ...call, ...sealed });
  }

  private keep(sealed: SealedCall): void {
    if (this.waitingBytes + sealed.bytes.length > MAX_WAITING_BYTES) {
      logFailure(this.logger, 'Contents are dropped', new Error('too many wait for the database'));
      return;
    }
    this.waiting.push(sealed);
    this.waitingBytes += sealed.bytes.length;
  }

  private async flush(): Promise<void> {
    const calls = this.waiting;
    if (calls.length === 0) return;
    this.waiting = [];
    this.waitingBytes = 0;
    try {
      await this.dataSource.query(
        `INSERT INTO call_contents (call_id, at, key_id, user_id, secret_id, content)
         SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::text[], $6::bytea[])
         ON CONFLICT DO NOTHING`,
        [
          calls.map(({ id }) => id),
          calls.map(({ at }) => at),
          calls.map(({ keyId }) => keyId),
          calls.map(({ userId }) => userId),
          calls.map(({ secretId }) => secretId),
          calls.map(({ bytes }) => bytes),
        ],
      );
    } catch (error) {
      logFailure(this.logger, 'Contents could not be written', error);
      for (const call of calls) this.keep(call);
    }
  }
}

/** The content of one choice of an answer. */
export interface LoggedChoice {
  readonly index: number;
  readonly reasoning: string;
  readonly content: string;
  readonly refusal: string;
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
  /** Null: the answer was cut off. */
  readonly finishReason: string | null;
}

/** The content of a call, in the format of Chat Completions, whichever API the client used. */
export interface CallContent {
  /** Images, sound and files are replaced by a note of their size. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly answer: readonly LoggedChoice[];
  /** Content is missing because it was larger than `contentLog.maxSize`. */
  readonly isCut: boolean;
}

interface LoggedCall {
  /** `chatcmpl-…` */
  readonly id: string;
  readonly at: Date;
  readonly keyId: string;
  readonly userId: string;
}
