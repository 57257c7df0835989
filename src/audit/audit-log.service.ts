import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import type { AuditEntry } from './audit.types.js';
import { toConditions } from './audit-filter.js';
import type { AuditFilter, AuditPage } from './audit-log.types.js';

const BATCH = 1000;
/** The number of entries from which the offered actions are taken. */
const RECENT = 20_000;

/** → `AuditEntry` */
const ENTRIES = `
  SELECT id, at, action, before, after,
    json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name, 'address', address, 'requestId', request_id) AS actor,
    json_build_object('kind', target_kind, 'id', target_id, 'name', target_name) AS target
  FROM audit_log`;

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
    return this.dataSource.query(
      `${ENTRIES} ${where && `WHERE ${where}`} ORDER BY id DESC LIMIT ${limit}`,
      conditions.map(({ value }) => value),
    );
  }
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
