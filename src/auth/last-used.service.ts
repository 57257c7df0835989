import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';

const FLUSH_MS = 5000;

/** Remembers when each key was last used and writes it every five seconds, off the hot path. */
@Injectable()
export class LastUsedService {
  private readonly logger = new Logger('LastUsed');
  private used = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    });
  }

  record(keyId: string): void {
    this.used.set(keyId, Date.now());
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer) await this.flush();
  }

  private async flush(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used].map(([id, at]) => ({ id, at: new Date(at) })).sort((a, b) => (a.id < b.id ? -1 : 1));
    this.used = new Map();
    try {
      await this.dataSource.query(
        `UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
         FROM json_to_recordset($1::json) AS used (id uuid, at timestamptz) WHERE api_keys.id = used.id`,
        [JSON.stringify(used)],
      );
    } catch (error) {
      this.logger.warn(`The last use of ${used.length} keys could not be written: ${(error as Error).message}`);
    }
  }
}
