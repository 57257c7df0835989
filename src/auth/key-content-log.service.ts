import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../audit/audit.types.js';
import { notifyCallerChanged } from '../database/changes.service.js';

/** Switches the content log of single keys. */
@Injectable()
export class KeyContentLogService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
  ) {}

  /** Effective in every process within a second. The caller has checked that the actor may do so. */
  async switch(keyId: string, isOn: boolean, actor: Actor): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [[changed]]: [{ name: string }[]] = await manager.query(
        'UPDATE api_keys SET logs_content = $2 WHERE id = $1 AND logs_content <> $2 RETURNING name',
        [keyId, isOn],
      );
      if (!changed) return;
      await this.audit.record(manager, actor, {
        action: 'key.content_log',
        target: { kind: 'key', id: keyId, name: changed.name },
        before: { contentLog: !isOn },
        after: { contentLog: isOn },
      });
      await notifyCallerChanged(manager, 'key', keyId);
    });
  }
}
