import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor, AuditChange } from './audit.types.js';
import { maskedSecrets } from './masked-secrets.js';

/** The audit log: who changed what. The database refuses to change an entry, and chains entries by a hash. */
@Injectable()
export class AuditService {
  /** Writes the entry in the transaction of the change: both are committed, or neither. */
  async record(manager: EntityManager, actor: Actor, change: AuditChange): Promise<void> {
    const { action, target, before = null, after = null } = change;
    await manager.query(
      `INSERT INTO audit_log
         (actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, before, after, address, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        actor.kind,
        actor.id,
        maskedSecrets(actor.name),
        action,
        target.kind,
        target.id,
        maskedSecrets(target.name),
        before && JSON.stringify(maskedSecrets(before)),
        after && JSON.stringify(maskedSecrets(after)),
        actor.address,
        actor.requestId,
      ],
    );
  }
}
