import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import type { Actor, AuditEntry, AuditTarget } from './audit.types.js';
import { toConditions } from './audit-filter.js';
import type { AuditFilter, AuditPage } from './audit-log.types.js';

const BATCH = 1000;
/** The number of entries from which the offered actions are taken. */
const RECENT = 20_000;

interface AuditRow {
  id: string;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_name: string;
  action: string;
  target_kind: AuditTarget['kind'];
  target_id: string | null;
  target_name: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
  request_id: string | null;
}

/** Reads the audit log, newest entries first. */
@Injectable()
export class AuditLogService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** One page; `cursor` is the `next` of the previous page. */
  async page(filter: AuditFilter, cursor: string | null, limit: number): Promise<AuditPage> {
    const found = await this.read(filter, cursor === null ? null : idOf(cursor), limit + 1);
    const items = found.slice(0, limit);
    const last = items.at(-1);
    return { items, next: found.length > limit && last ? cursorOfEntry(last) : null };
  }

  /** Every entry, in batches, read as fast as they are consumed. */
  async *batches(filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
    let before: string | null = null;
    for (;;) {
      const batch: AuditEntry[] = await this.read(filter, before, BATCH);
      const last = batch.at(-1);
      if (last) yield batch;
      if (!last || batch.length < BATCH) return;
      before = last.id;
    }
  }

  /** The actions in the newer part of the log, by name. */
  async actions(): Promise<string[]> {
    const rows: { action: string }[] = await this.dataSource.query(
      `SELECT DISTINCT action FROM (SELECT action FROM audit_log ORDER BY id DESC LIMIT ${RECENT}) AS recent
       ORDER BY action`,
    );
    return rows.map(({ action }) => action);
  }

  private async read(filter: AuditFilter, before: string | null, limit: number): Promise<AuditEntry[]> {
    const conditions = [...toConditions(filter), ...(before === null ? [] : [{ sql: 'id < ?', value: before }])];
    const where = conditions.map(({ sql }, i) => sql.replace('?', () => `$${i + 1}`)).join(' AND ');
    const rows: AuditRow[] = await this.dataSource.query(
      `SELECT id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name,
         before, after, address, request_id
       FROM audit_log ${where && `WHERE ${where}`} ORDER BY id DESC LIMIT ${limit}`,
      conditions.map(({ value }) => value),
    );
    return rows.map(toEntry);
  }
}

function toEntry({ id, at, action, before, after, address, request_id: requestId, ...row }: AuditRow): AuditEntry {
  return {
    id,
    at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name, address, requestId },
    action,
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
    before,
    after,
  };
}

/** The cursor of the page after an entry. */
export function cursorOfEntry({ id }: { readonly id: string }): string {
  return Buffer.from(id).toString('base64url');
}

function idOf(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (/^\d{1,18}$/.test(id)) return id;
  throw new UsageError('This page does not exist.', 'cursor');
}
