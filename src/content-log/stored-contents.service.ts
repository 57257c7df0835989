import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { type CallContent, currentCipher, type SealedContent } from './content-log.service.js';

export type FoundContent = { readonly content: CallContent } | { readonly missing: 'content' | 'key' };

/** Shows stored contents; the audit log records each view. */
@Injectable()
export class StoredContentsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  async has(callId: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query('SELECT FROM call_contents WHERE call_id = $1', [callId]);
    return rows.length > 0;
  }

  /** The caller has checked that the actor may see the call. */
  async show(callId: string, actor: Actor): Promise<FoundContent> {
    return this.dataSource.transaction(async (manager) => {
      const [sealed]: SealedContent[] = await manager.query(
        'SELECT secret_id AS "secretId", content AS bytes FROM call_contents WHERE call_id = $1',
        [callId],
      );
      if (!sealed) return { missing: 'content' };
      const text = await currentCipher(this.settings)?.open(callId, sealed);
      if (!text) return { missing: 'key' };
      await this.audit.record(manager, actor, {
        action: 'content.view',
        target: { kind: 'call', id: callId, name: callId },
      });
      return { content: JSON.parse(text.toString()) };
    });
  }
}

const CHECK_MS = 600_000;
const BATCH = 1000;

const OLD_CONTENTS = `DELETE FROM call_contents WHERE call_id = ANY (ARRAY(
  SELECT call_id FROM call_contents WHERE at < now() - $1 * interval '1 ms' LIMIT ${BATCH}))`;

/** Also those of users who are disabled and of projects that are archived. */
const OLD_RESPONSES = `DELETE FROM remembered_responses WHERE (owner_id, response_id) IN (
  SELECT owner_id, response_id FROM remembered_responses
  WHERE at < now() - $1 * interval '1 ms'
    OR NOT EXISTS (SELECT FROM users WHERE id = owner_id AND disabled_at IS NULL)
      AND NOT EXISTS (SELECT FROM projects WHERE id = owner_id AND archived_at IS NULL)
  LIMIT ${BATCH})`;

/** Deletes contents older than `contentLog.retention` and `responses.remember`, by the database's clock. */
@Injectable()
export class ContentRetentionService {
  private readonly logger = new Logger('ContentLog');
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => {
      this.timer = setInterval(() => void this.check(), CHECK_MS).unref();
      void this.check();
    });
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.timer);
  }

  async forgetOld(): Promise<void> {
    const { contentLog, responses } = this.settings;
    await this.forget(OLD_CONTENTS, contentLog.retention);
    await this.forget(OLD_RESPONSES, responses.remember ?? 0);
  }

  private async forget(statement: string, retention: number): Promise<void> {
    let deleted = BATCH;
    while (deleted === BATCH && !this.isStopping) {
      const [, count]: [unknown, number] = await this.dataSource.query(statement, [retention]);
      deleted = count;
    }
  }

  private async check(): Promise<void> {
    await this.forgetOld().catch((error) => logFailure(this.logger, 'Old contents cannot be deleted', error));
  }
}
