import type { EntityManager } from 'typeorm';
import { DAY, hourOf, type SlotSpan, slotFrom, slotOf } from '../rollups/usage-slots.js';
import { isOfShared, type Stretches, stretchesOf } from './call-hours.js';
import { CALL_COLUMNS, type CallRow } from './call-rows.js';
import { HOUR_OF_CALL } from './hour-parts.js';
import { type OwnedKey, ownedKeysOf } from './owned-keys.js';
import { readState } from './read-state.js';
import { SqlParameters } from './sql-parameters.js';
import type { CallPosition, UsageCallFilter } from './usage-call.types.js';
import { conditionOf } from './usage-filter.js';
import type { UsageFilter } from './usage-report.types.js';

/** The sizes of the first windows to search, in slots; the last one has no limit. */
const WINDOWS = [7 * DAY, 28 * DAY];

export interface CallsQuestion extends UsageCallFilter {
  behind: CallPosition | null;
  limit: number;
}

/**
 * The newest matching calls. The roll-ups show which hours have any, so that a filter without matches reads nothing
 * from the ledger. Calls that are not rolled up yet are read separately.
 */
export async function newestCalls(manager: EntityManager, question: CallsQuestion): Promise<CallRow[]> {
  const { from, to, behind, limit } = question;
  const state = await readState(manager);
  const owned = await ownedKeysOf(manager, question.keys ?? []);
  const rows = await notRolledUp(manager, question, state.rolledUpTo);
  const ledger = await spanOfLedger(manager);
  if (ledger === null) return rows;
  const newest = Math.min(slotFrom(to), ledger.to, behind === null ? Number.POSITIVE_INFINITY : slotAfter(behind));
  const oldest = hourOf(Math.max(slotOf(from), ledger.from));
  let found = 0;
  for (let before = newest, look = 0; before > oldest && found < limit; look++) {
    const span = { from: Math.max(oldest, hourOf(before - (WINDOWS[look] ?? before))), to: before };
    const stretches = await stretchesOf(manager, question, owned, span, state);
    const more = await rolledUp(manager, { ...question, limit: limit - found }, owned, stretches, state.rolledUpTo);
    found += more.length;
    rows.push(...more);
    before = span.from;
  }
  return rows.sort(newestFirst).slice(0, limit);
}

/** Without a filter. Open and closed calls have separate indexes. */
export function newestOfAll(manager: EntityManager, question: CallsQuestion): Promise<CallRow[]> {
  const parameters = new SqlParameters();
  const condition = conditionOn(question, parameters);
  const limit = parameters.add(question.limit, 'int');
  const select = (status: string) =>
    `(SELECT ${CALL_COLUMNS} FROM usage_calls WHERE ${status} AND ${condition}
      ORDER BY started_at DESC, id DESC LIMIT ${limit})`;
  return manager.query(
    `${select("status <> 'open'")} UNION ALL ${select("status = 'open'")} ORDER BY "startedAt" DESC, id DESC LIMIT ${limit}`,
    parameters.values,
  );
}

/** `OFFSET 0` makes the planner use the indexes of open and of changed calls, which are few. */
function notRolledUp(manager: EntityManager, question: CallsQuestion, rolledUpTo: string): Promise<CallRow[]> {
  const parameters = new SqlParameters();
  const condition = conditionOn(question, parameters);
  const changed = parameters.add(rolledUpTo, 'bigint');
  return manager.query(
    `SELECT ${CALL_COLUMNS} FROM (
       (SELECT * FROM usage_calls WHERE status <> 'open' AND changed_in >= ${changed} OFFSET 0)
       UNION ALL (SELECT * FROM usage_calls WHERE status = 'open' OFFSET 0)
     ) AS recent WHERE ${condition}
     ORDER BY started_at DESC, id DESC LIMIT ${parameters.add(question.limit, 'int')}`,
    parameters.values,
  );
}

function rolledUp(
  manager: EntityManager,
  question: CallsQuestion,
  owned: readonly OwnedKey[] | null,
  { since, until }: Stretches,
  rolledUpTo: string,
): Promise<CallRow[]> | CallRow[] {
  if (since.length === 0) return [];
  const parameters = new SqlParameters();
  const times = `unnest(${parameters.add(since, 'timestamptz[]')}, ${parameters.add(until, 'timestamptz[]')})`;
  const limit = parameters.add(question.limit, 'int');
  return manager.query(
    `SELECT call.* FROM ${times} AS stretch (since, until) CROSS JOIN LATERAL (
       SELECT ${CALL_COLUMNS} FROM usage_calls
       WHERE status <> 'open' AND changed_in + 0 < ${parameters.add(rolledUpTo, 'bigint')}
         AND started_at >= stretch.since AND started_at < stretch.until ${byHour(question, owned, parameters)}
         AND ${conditionOn(question, parameters)}
       ORDER BY started_at DESC, id DESC LIMIT ${limit}
     ) AS call LIMIT ${limit}`,
    parameters.values,
  );
}

/** The index by hour, user and key is used when the filter has users or keys. */
function byHour(filter: UsageFilter, owned: readonly OwnedKey[] | null, parameters: SqlParameters): string {
  if (isOfShared({ users: filter.users ?? [], keys: filter.keys ?? [] })) return '';
  const users =
    owned === null
      ? ''
      : `AND user_id = ANY(${parameters.add([...new Set(owned.map(({ userId }) => userId))], 'uuid[]')})`;
  return `AND ${HOUR_OF_CALL} = stretch.since ${users}`;
}

function conditionOn(question: CallsQuestion, parameters: SqlParameters): string {
  const { from, to, behind } = question;
  const condition = conditionOf(question, parameters);
  const during = `started_at >= ${parameters.add(from, 'timestamptz')} AND started_at < ${parameters.add(to, 'timestamptz')}`;
  if (behind === null) return `${condition} AND ${during}`;
  const [startedAt, id] = [parameters.add(behind[0], 'timestamptz'), parameters.add(behind[1], 'text')];
  return `${condition} AND ${during} AND started_at <= ${startedAt} AND (started_at, id) < (${startedAt}, ${id})`;
}

async function spanOfLedger(manager: EntityManager): Promise<SlotSpan | null> {
  const [{ first, last }]: [{ first: Date | null; last: Date | null }] = await manager.query(
    "SELECT min(started_at) AS first, max(started_at) AS last FROM usage_calls WHERE status <> 'open'",
  );
  return first === null || last === null ? null : { from: slotOf(first), to: slotOf(last) + 1 };
}

function slotAfter([startedAt]: CallPosition): number {
  return slotOf(new Date(startedAt)) + 1;
}

function newestFirst(a: CallRow, b: CallRow): number {
  const later = b.startedAt.getTime() - a.startedAt.getTime();
  if (later !== 0) return later;
  if (a.position !== b.position) return a.position < b.position ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
