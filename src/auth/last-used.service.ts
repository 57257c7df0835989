import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Request } from 'express';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import type { RequestedModel } from '../http/request-context.js';
import { logFailure } from '../telemetry/failure-log.js';

const FLUSH_MS = 5000;
const LONGEST_USER_AGENT = 200;

interface Use {
  readonly at: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Holds the model once the body was read. */
  readonly requested: Readonly<RequestedModel>;
}

@Injectable()
export class LastUsedService {
  private readonly logger = new Logger('LastUsed');
  private used = new Map<string, Use>();
  /** Already written, but without the model. */
  private unfinished = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    });
  }

  record(keyId: string, address: string | undefined, { headers, context }: Pick<Request, 'headers' | 'context'>): void {
    this.used.set(keyId, {
      at: Date.now(),
      address: address ?? null,
      userAgent: headers['user-agent'] ?? null,
      requested: context.requested,
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer) await this.flush();
  }

  private async flush(): Promise<void> {
    const uses = new Map([...this.unfinished, ...this.used]);
    this.unfinished = new Map([...this.used].filter(([, { requested }]) => requested.model === null));
    this.used = new Map();
    if (uses.size === 0) return;
    const rows = [...uses].map(toRow).sort((a, b) => (a.id < b.id ? -1 : 1));
    try {
      await this.dataSource.query(
        `UPDATE api_keys SET last_used_at = used.at, last_used_address = used.address, last_used_agent = used.agent,
           last_used_model = coalesce(used.model, last_used_model)
         FROM json_to_recordset($1::json) AS used (id uuid, at timestamptz, address text, agent text, model text)
         WHERE api_keys.id = used.id AND used.at >= coalesce(last_used_at, '-infinity')`,
        [JSON.stringify(rows)],
      );
    } catch (error) {
      logFailure(this.logger, 'The last use of keys could not be written', error);
    }
  }
}

function toRow([id, { at, address, userAgent, requested }]: [string, Use]) {
  const agent = userAgent?.replace(/svc_\w+/g, 'svc_…').slice(0, LONGEST_USER_AGENT) ?? null;
  return { id, at: new Date(at), address, agent, model: requested.model };
}
