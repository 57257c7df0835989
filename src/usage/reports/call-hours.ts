import type { EntityManager } from 'typeorm';
import { isShared, kindFor, rollupTable } from '../rollups/usage-rollup-kinds.js';
import { HOUR, hourOf, type SlotSpan, startOfSlot } from '../rollups/usage-slots.js';
import type { OwnedKey } from './owned-keys.js';
import type { ReadState } from './read-state.js';
import { SqlParameters } from './sql-parameters.js';
import { columnsOf, conditionOf } from './usage-filter.js';
import type { UsageFilter } from './usage-report.types.js';

/** Time ranges that may contain calls, newest first. */
export interface Stretches {
  since: Date[];
  until: Date[];
}

/** Whether roll-ups without users and keys can answer the filter. */
export function isOfShared(filter: UsageFilter): boolean {
  return isShared(kindFor(columnsOf(filter)));
}

/** The ranges in which the roll-ups have matching calls: quarter-hours, or hours for users and keys. */
export function stretchesOf(
  manager: EntityManager,
  filter: UsageFilter,
  owned: readonly OwnedKey[] | null,
  span: SlotSpan,
  state: ReadState,
): Promise<Stretches> {
  return isOfShared(filter)
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
  { hoursBegin, hoursKeptFrom }: ReadState,
): Promise<Stretches> {
  const [newest, oldest] = [hourOf(to - 1), hourOf(from)];
  const known = Math.max(hoursBegin, hoursKeptFrom);
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
