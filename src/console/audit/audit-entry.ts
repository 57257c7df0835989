import type { AuditEntry } from '../../audit/audit.types.js';
import type { AuditFilter } from '../../audit/audit-log.types.js';
import type { CsvValue } from '../lists/csv.js';
import type { AuditEntryView } from './dto/audit-entry.view.js';
import type { AuditFilterQuery } from './dto/audit-query.dto.js';

export function toFilter({ from, to, q: text, ...fields }: AuditFilterQuery): AuditFilter {
  return { ...fields, text, from: from ? new Date(from) : undefined, to: to ? new Date(to) : undefined };
}

export function toView({ actor, ...entry }: AuditEntry): AuditEntryView {
  const { address, requestId, ...who } = actor;
  return { ...entry, actor: who, address, requestId };
}

/** The header row of an exported CSV. */
export const COLUMNS = [
  'at',
  'actor',
  'actor_kind',
  'actor_id',
  'action',
  'target_kind',
  'target_id',
  'target',
  'before',
  'after',
  'address',
  'request_id',
  'id',
] as const;

export function toRow({ id, at, actor, action, target, before, after }: AuditEntry): CsvValue[] {
  const { kind, id: actorId, name, address, requestId } = actor;
  const what = [target.kind, target.id, target.name, toText(before), toText(after)];
  return [at, name, kind, actorId, action, ...what, address, requestId, id];
}

function toText(values: object | null): string | null {
  return values && JSON.stringify(values);
}
