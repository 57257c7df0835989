import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import type { CallContent } from './content.types.js';
import { ContentCipher, type SealedContent } from './content-cipher.js';

export type FoundContent = { readonly content: CallContent } | { readonly missing: 'content' | 'key' };

/** Shows stored contents; the audit log records each view. */
@Injectable()
export class StoredContentsService {
  private readonly cipher: ContentCipher | null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @InjectSettings() { contentLogKeys: keys }: Settings,
  ) {
    this.cipher = keys.length > 0 ? new ContentCipher(keys) : null;
  }

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
      const text = (await this.cipher?.open(callId, sealed)) ?? null;
      if (text === null) return { missing: 'key' };
      await this.audit.record(manager, actor, {
        action: 'content.view',
        target: { kind: 'call', id: callId, name: callId },
      });
      return { content: JSON.parse(text) };
    });
  }
}
