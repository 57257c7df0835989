import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import type { CallContent, LoggedCall } from './content.types.js';
import { ContentCipher, type SealedContent } from './content-cipher.js';

const FLUSH_MS = 1000;
/** The maximum number of contents that wait for the database; further ones are dropped to limit memory in an outage. */
const MAX_WAITING_BYTES = 64 * 1024 ** 2;

interface SealedCall extends LoggedCall, SealedContent {}

/** Writes the contents of calls, encrypted, once a second. Calls do not wait for it. */
@Injectable()
export class ContentLogService {
  private readonly logger = new Logger('ContentLog');
  private readonly cipher: ContentCipher | null;
  private readonly sealing = new Set<Promise<void>>();
  private waiting: SealedCall[] = [];
  private waitingBytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() settings: Settings,
    database: DatabaseService,
  ) {
    this.cipher = settings.contentLogKeys.length > 0 ? new ContentCipher(settings.contentLogKeys) : null;
    if (!this.cipher) return;
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
    });
  }

  /** Whether contents can be encrypted; otherwise none is logged. */
  get isPossible(): boolean {
    return this.cipher !== null;
  }

  /** Returns immediately and never throws. */
  add(call: LoggedCall, content: CallContent): void {
    if (!this.cipher) return;
    const work = this.seal(this.cipher, call, content)
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
