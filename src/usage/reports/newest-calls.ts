import type { EntityManager } from 'typeorm';
import { DAY, HOUR, hourOf, type SlotSpan, slotFrom, slotOf, startOfSlot } from '../rollups/usage-pieces.js';
import { isShared, kindFor, rollupTable } from '../rollups/usage-rollup-kinds.js';
import type { CallPosition, Placed, UsageCall, UsageCallFilter, UsageFilter } from '../usage.types.js';
import { HOUR_OF_CALL, type OwnedKey, ownedKeysOf } from './hour-parts.js';
import { columnsOf, conditionOf, SqlParameters } from './usage-filter.js';
import { type ReadState, readState } from './usage-reading.js';

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
  if (usesSharedRollup({ users: filter.users ?? [], keys: filter.keys ?? [] })) return '';
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

/** Time ranges that may contain calls, newest first. */
interface Stretches {
  since: Date[];
  until: Date[];
}

/** Whether roll-ups without users and keys can answer the filter. */
function usesSharedRollup(filter: UsageFilter): boolean {
  return isShared(kindFor(columnsOf(filter)));
}

/** The ranges in which the roll-ups have matching calls: quarter-hours, or hours for users and keys. */
function stretchesOf(
  manager: EntityManager,
  filter: UsageFilter,
  owned: readonly OwnedKey[] | null,
  span: SlotSpan,
  state: ReadState,
): Promise<Stretches> {
  return usesSharedRollup(filter)
    ? sharedStretches(manager, filter, span)
    : hourStretches(manager, filter, owned, span, state);
}

async function sharedStretches(
  manager: EntityManager,
  filter: UsageFilter,
  { from, to }: SlotSpan,
): Promise<Stretches> {
  const kind = kindFor(columnsOf(filter));
  const parameters = new SqlParameters(kind);
  const groups: { id: string }[] = await manager.query(
    `SELECT id FROM usage_groups WHERE kind = $1 AND ${conditionOf(filter, parameters)}`,
    parameters.values,
  );
  if (groups.length === 0) return toStretches([], 1);
  const rows: { slot: number }[] = await manager.query(
    `SELECT slot FROM ${rollupTable(kind)}_1
     WHERE quarters = 1 AND group_id = ANY($3::bigint[]) AND slot >= $1 AND slot < $2
     GROUP BY slot HAVING sum(calls) > 0 ORDER BY slot DESC`,
    [from, to, groups.map(({ id }) => id)],
  );
  const slots = rows.map(({ slot }) => slot);
  return toStretches(slots, 1);
}

/** Before the hourly sums start, every hour may have calls. */
async function hourStretches(
  manager: EntityManager,
  filter: UsageFilter,
  owned: readonly OwnedKey[] | null,
  { from, to }: SlotSpan,
  { hoursBegin, hoursStoredFrom }: ReadState,
): Promise<Stretches> {
  const [newest, oldest] = [hourOf(to - 1), hourOf(from)];
  const known = Math.max(hoursBegin, hoursStoredFrom);
  const parameters = new SqlParameters(newest, Math.max(oldest, known));
  const rows: { slot: number }[] = await manager.query(
    `SELECT slot FROM generate_series($1::int, $2::int, -${HOUR}) AS slot WHERE EXISTS (
       SELECT FROM ${owned === null ? '(SELECT) AS one' : keysFrom(owned, parameters)}
         CROSS JOIN LATERAL (SELECT calls FROM usage_hours AS hour WHERE hour.slot = slot.slot
           AND ${owned === null ? 'true' : 'user_id = owner AND key_id = owned_key'}
           AND ${conditionOf(filter, parameters)} OFFSET 0) AS hour WHERE calls > 0
     ) ORDER BY slot DESC`,
    parameters.values,
  );
  const unknown = [];
  for (let hour = Math.min(newest, known - HOUR); hour >= oldest; hour -= HOUR) unknown.push(hour);
  return toStretches([...rows.map(({ slot }) => slot), ...unknown], HOUR);
}

function keysFrom(owned: readonly OwnedKey[], parameters: SqlParameters): string {
  const users = parameters.addColumn(owned, 'userId', 'uuid[]');
  const keys = parameters.addColumn(owned, 'keyId', 'uuid[]');
  return `unnest(${users}, ${keys}) AS owned (owner, owned_key)`;
}

function toStretches(slots: readonly number[], size: number): Stretches {
  return { since: slots.map(startOfSlot), until: slots.map((slot) => startOfSlot(slot + size)) };
}

/** Of a failed call: the first line of its last attempt's error. */
const FAULT = `CASE WHEN status = 'failed' THEN split_part(attempts -> -1 ->> 'message', E'\\n', 1) END AS message,
  CASE WHEN status = 'failed' THEN nullif((attempts -> -1 ->> 'status')::int, 0) END AS "upstreamStatus"`;

/** A `CallRow`. `position`: `started_at` with microseconds. */
export const CALL_COLUMNS = `id, started_at AS "startedAt", request_id AS "requestId", key_id AS "keyId",
  key_display AS "keyDisplay", user_id AS "userId", plan_id AS "planId", model, served_model AS "servedModel", upstream,
  upstream_model AS "upstreamModel", simulated, api, stream, status, finish_reason AS "finishReason",
  error_code AS "errorCode", http_status AS "httpStatus", answer_id AS "answerId", token_source AS "tokenSource", cost_nanodollars AS "costNanodollars",
  first_token_ms AS "firstTokenMs", total_ms AS "totalMs", ${FAULT}, started_at::text AS position, json_build_object(
    'input', input_tokens, 'cached', cached_tokens, 'output', output_tokens, 'reasoning', reasoning_tokens) AS tokens`;

export type CallRow = Omit<Placed<UsageCall>, 'costNanodollars'> & { costNanodollars: string };

export function toCall<Row extends CallRow>({ costNanodollars, ...row }: Row) {
  return { ...row, costNanodollars: BigInt(costNanodollars) };
}
