import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor, AuditChange } from './audit.types.js';

/** The audit log: who changed what. The database refuses to change an entry, and chains entries by a hash. */
@Injectable()
export class AuditService {
  /** Writes the entry in the transaction of the change: both are committed, or neither. */
  async record(manager: EntityManager, actor: Actor, change: AuditChange): Promise<void> {
    await this.recordAll(manager, actor, [change]);
  }

  /** The same for many changes, in their order, with one statement. */
  async recordAll(manager: EntityManager, actor: Actor, changes: readonly AuditChange[]): Promise<void> {
    const { kind, id, name, address, requestId } = actor;
    const rows = changes.map(({ action, target, before = null, after = null }) => ({
      action,
      target_kind: target.kind,
      target_id: target.id,
      target_name: maskedSecrets(target.name),
      before: maskedSecrets(before),
      after: maskedSecrets(after),
    }));
    await manager.query(
      `INSERT INTO audit_log
         (actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, before, after, address, request_id)
       SELECT $1, $2::uuid, $3, action, target_kind, target_id, target_name, nullif(before, 'null'), nullif(after, 'null'), $4, $5
       FROM ROWS FROM (json_to_recordset($6) AS
         (action text, target_kind text, target_id text, target_name text, before jsonb, after jsonb)) WITH ORDINALITY
       ORDER BY ordinality`,
      [kind, id, maskedSecrets(name), address, requestId, JSON.stringify(rows)],
    );
  }
}

const SECRET_NAME = /secret|password|token|hash|credential|^key$/i;
const KEY_TEXT = /(svc|gat)_\w{8,}/g;

/**
 * A last check of the audit log: masks values that are named like a secret or look like an API key or access token, and removes
 * characters that the database would reject, which would prevent the change.
 */
export function maskedSecrets(value: unknown, name = ''): unknown {
  if (value !== null && value !== undefined && SECRET_NAME.test(name)) return '…';
  if (typeof value === 'string') return value.replace(KEY_TEXT, '$1_…').replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map((item) => maskedSecrets(item));
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedSecrets(item, key)]));
}
