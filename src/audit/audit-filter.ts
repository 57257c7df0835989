import { escapeLike, holdsPattern } from '../database/lists/search-words.js';
import type { AuditFilter } from './audit-log.types.js';

export interface Condition {
  /** A condition with `?` in place of the value. */
  readonly sql: string;
  readonly value: unknown;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conditions on an entry, each with one value. */
export function toConditions({ from, to, actor, action, target, text }: AuditFilter): Condition[] {
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
