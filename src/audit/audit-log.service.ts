import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsageError } from '../common/usage.error.js';
import { escapeLike, holdsPattern } from '../database/lists.js';
import type { AuditEntry } from './audit.types.js';

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

export interface Condition {
  /** A condition with `?` in place of the value. */
  readonly sql: string;
  readonly value: unknown;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conditions on an entry, each with one value. */
function toConditions({ from, to, actor, action, target, text }: AuditFilter): Condition[] {
  return [
    ...(from ? [{ sql: 'at >= ?', value: from }] : []),
    ...(to ? [{ sql: 'at < ?', value: to }] : []),
    ...(actor ? [ofActor(actor)] : []),
    ...(action ? [{ sql: "(action || '.') LIKE ?", value: `${escapeLike(action)}.%` }] : []),
    ...(target ? ofTarget(target) : []),
    ...(text ? [ofText(text)] : []),
  ];
}

function ofActor(actor: string): Condition {
  if (UUID.test(actor)) return { sql: 'actor_id = ?', value: actor };
  return { sql: 'actor_name ILIKE ?', value: `%${escapeLike(actor)}%` };
}

function ofTarget(target: string): Condition[] {
  const [kind, ...id] = target.split(':');
  const ofKind = { sql: 'target_kind = ?', value: kind };
  return id.length > 0 ? [ofKind, { sql: 'target_id = ?', value: id.join(':') }] : [ofKind];
}

function ofText(text: string): Condition {
  const shown = "concat_ws(' ', actor_name, action, target_name, target_id, address, request_id)";
  const pattern = `%${escapeLike(text)}%`;
  return { sql: holdsPattern(shown, pattern, '?'), value: pattern };
}

/** Filters of the audit log; missing ones do not filter. */
export interface AuditFilter {
  readonly from?: Date | undefined;
  /** Before this time. */
  readonly to?: Date | undefined;
  /** A user's id, or part of the name. */
  readonly actor?: string | undefined;
  /** `key.create`, or `key` for all actions on keys. */
  readonly action?: string | undefined;
  /** `user`, or `user:<id>`. */
  readonly target?: string | undefined;
  /** Part of the actor, action, target or request id. */
  readonly text?: string | undefined;
}

/** Entries, newest first. */
interface AuditPage {
  readonly items: AuditEntry[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}
