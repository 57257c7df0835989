import type { EntityManager } from 'typeorm';
import { SUMS, usageEvents } from '../rollups/usage-events.js';
import {
  DAY,
  HOUR,
  hourOf,
  type Piece,
  type Pieces,
  piecesOf,
  type StoredSums,
  type Stretch,
  startOfSlot,
} from '../rollups/usage-pieces.js';
import { COLUMN_OF, columnsOf, conditionOf, isOneOf, type SqlParameters } from './usage-filter.js';
import type { SumsQuestion } from './usage-tally.js';

/** The hour in which a call started, as in the ledger's index. */
export const HOUR_OF_CALL = "date_bin('1 hour', started_at, '2000-01-01 00:00:00+00'::timestamptz)";

/** Up to this many runs of adjacent slots are read as ranges; with more, the table is joined to a list of slots. */
const MAX_RUNS = 8;
/** Up to this many models, rows are looked up by index; with more, most rows are read anyway. */
const FEW_MODELS = 3;

export interface HourQuestion extends SumsQuestion {
  /** Only these keys, in addition to the rest of the filter. */
  owned: readonly OwnedKey[] | null;
  /** The transaction up to which the sums include the ledger's events. */
  rolledUpTo: string;
}

/**
 * SELECTs over the sums of keys, for a UNION ALL. Their rows have a cell (a time range of the report), a sign (-1: to
 * subtract), the name of the group, and `columns`. See `usage-pieces.ts`.
 */
export function hourParts(
  question: HourQuestion,
  stored: StoredSums,
  columns: string,
  parameters: SqlParameters,
): string[] {
  const pieces = piecesOf(question.cells, stored);
  if (Object.values(pieces).every((some) => some.length === 0)) return [];
  const name =
    question.groupBy === null ? 'NULL::text' : `part.${COLUMN_OF[question.groupBy]}::${question.namesAs ?? 'text'}`;
  const context = {
    select: `SELECT cell, sign, ${name} AS name, ${columns}`,
    filter: filterOf(question, name, parameters),
    keys: keysOf(question, parameters),
    models: question.models ?? [],
    parameters,
  };
  return [...summedParts(question, pieces, context), ...ledgerPart(question, pieces.stretches, name, columns, context)];
}

interface Context {
  select: string;
  filter: string;
  /** A join, and the condition on `user_id` and `key_id`. */
  keys: { join: string; condition: string; isOfAll: boolean };
  /** Empty: all models. */
  models: readonly string[];
  parameters: SqlParameters;
}

interface SummedTable {
  name: string;
  pieces: readonly Piece[];
  condition: string;
  /** The time that a row covers, in quarter-hours. */
  quarters: number;
}

function summedParts(question: HourQuestion, { days, hours, lateHours }: Pieces, context: Context): string[] {
  const ofDays = { pieces: days, quarters: DAY };
  const tables: SummedTable[] = groupsOnlyByKey(question)
    ? [{ name: 'usage_key_days', ...ofDays, condition: 'true' }]
    : [
        { name: 'usage_key_days', ...ofDays, condition: 'NOT is_mixed' },
        { name: 'usage_call_days', ...ofDays, condition: 'true' },
      ];
  const ofHours = { pieces: [...hours, ...lateHours], quarters: HOUR };
  tables.push({ name: 'usage_hours', ...ofHours, condition: 'true' });
  return tables
    .filter(({ pieces }) => pieces.length > 0)
    .flatMap((table) =>
      sourcesOf(table, context).map(
        (source) => `${context.select} FROM ${source} WHERE ${context.filter} AND ${table.condition}`,
      ),
    );
}

/** FROM items for a table: `part` with its rows, and `block` with their cell and sign. */
function sourcesOf(table: SummedTable, context: Context): string[] {
  const { keys, models, parameters } = context;
  if (!keys.isOfAll) return [lookedUp(table, keys, parameters)];
  const hasIndexOfModels = table.quarters === DAY;
  if (hasIndexOfModels && models.length > 0 && models.length <= FEW_MODELS) {
    const condition = `part.model = ANY(${parameters.add(models, 'text[]')})`;
    return [lookedUp(table, { join: '', condition }, parameters)];
  }
  const runs = runsOf(table);
  return runs.length <= MAX_RUNS ? runs.map((run) => ofRun(table, run, parameters)) : [joined(table, parameters)];
}

interface Run extends Piece {
  last: number;
}

/** Merges adjacent pieces of a cell. */
function runsOf({ pieces, quarters }: SummedTable): Run[] {
  const runs: Run[] = [];
  for (const { cell, sign, slot } of pieces) {
    const run = runs.at(-1);
    if (run?.cell === cell && run.sign === sign && run.last + quarters === slot) run.last = slot;
    else runs.push({ cell, sign, slot, last: slot });
  }
  return runs;
}

function ofRun({ name }: SummedTable, { cell, sign, slot, last }: Run, parameters: SqlParameters): string {
  return `(SELECT ${cell} AS cell, ${sign} AS sign) AS block JOIN ${name} AS part
    ON part.slot >= ${parameters.add(slot, 'int')} AND part.slot <= ${parameters.add(last, 'int')}`;
}

function joined({ name, pieces }: SummedTable, parameters: SqlParameters): string {
  const slots = pieces.map(({ slot }) => slot);
  const first = slots.reduce((a, b) => Math.min(a, b));
  const last = slots.reduce((a, b) => Math.max(a, b));
  return `${name} AS part JOIN ${blockOf(pieces, parameters)} ON part.slot = block.slot
    AND part.slot >= ${parameters.add(first, 'int')} AND part.slot <= ${parameters.add(last, 'int')}`;
}

/** `OFFSET 0` makes the planner use the index on slot, user and key, or on slot and model. */
function lookedUp(
  { name, pieces }: SummedTable,
  { join, condition }: Pick<Context['keys'], 'join' | 'condition'>,
  parameters: SqlParameters,
): string {
  return `${join} ${blockOf(pieces, parameters)} CROSS JOIN LATERAL (
    SELECT * FROM ${name} AS part WHERE part.slot = block.slot AND ${condition} OFFSET 0
  ) AS part`;
}

/** Calls in parts of an hour: sums exist for whole hours only, so these are read from the ledger. */
function ledgerPart(
  { rolledUpTo }: HourQuestion,
  stretches: readonly Stretch[],
  name: string,
  columns: string,
  { filter, keys, parameters }: Context,
): string[] {
  if (stretches.length === 0) return [];
  const times = (slots: readonly number[]) => parameters.add(slots.map(startOfSlot), 'timestamptz[]');
  const cells = parameters.addColumn(stretches, 'cell', 'int[]');
  const signs = parameters.addColumn(stretches, 'sign', 'int[]');
  const hours = times(stretches.map(({ slot }) => hourOf(slot)));
  const since = times(stretches.map(({ slot }) => slot));
  const until = times(stretches.map(({ end }) => end));
  const stretch = `unnest(${cells}, ${signs}, ${hours}, ${since}, ${until}) AS stretch (cell, sign, hour, since, until)`;
  const during = `${HOUR_OF_CALL} = stretch.hour AND started_at >= stretch.since AND started_at < stretch.until
    AND ${keys.condition.replaceAll('part.', 'usage_calls.')}`;
  const events = usageEvents('0', parameters.add(rolledUpTo, 'bigint'), during);
  return [
    `SELECT cell, sign, name, ${columns} FROM (
      SELECT cell, sign, ${name} AS name, ${SUMS}
      FROM ${keys.join} ${stretch} CROSS JOIN LATERAL (${events}) AS part WHERE ${filter} GROUP BY 1, 2, 3
    ) AS ledger`,
  ];
}

function groupsOnlyByKey(question: HourQuestion): boolean {
  const { groupBy } = question;
  const columns: string[] = [...columnsOf(question), ...(groupBy === null ? [] : [COLUMN_OF[groupBy]])];
  return columns.every((column) => column === 'user_id' || column === 'key_id');
}

function filterOf(question: HourQuestion, name: string, parameters: SqlParameters): string {
  const { only } = question;
  const condition = conditionOf(question, parameters, 'part.');
  return only === undefined ? condition : `${condition} AND ${isOneOf(name, only, parameters)}`;
}

/** Rows are found by slot, user and key; without users, all rows of a slot are read. */
function keysOf({ owned, users = [], groupBy, only }: HourQuestion, parameters: SqlParameters): Context['keys'] {
  if (owned !== null) {
    const userIds = parameters.addColumn(owned, 'userId', 'uuid[]');
    const keyIds = parameters.addColumn(owned, 'keyId', 'uuid[]');
    return {
      join: `unnest(${userIds}, ${keyIds}) AS owned (user_id, key_id) CROSS JOIN`,
      condition: 'part.user_id = owned.user_id AND part.key_id = owned.key_id',
      isOfAll: false,
    };
  }
  const required = groupBy === 'user' && only !== undefined ? only.filter((one) => one !== null) : users;
  if (required.length === 0) return { join: '', condition: 'true', isOfAll: true };
  return { join: '', condition: `part.user_id = ANY(${parameters.add(required, 'uuid[]')})`, isOfAll: false };
}

function blockOf(pieces: readonly Piece[], parameters: SqlParameters): string {
  const column = (name: keyof Piece) => parameters.addColumn(pieces, name, 'int[]');
  return `unnest(${column('cell')}, ${column('slot')}, ${column('sign')}) AS block (cell, slot, sign)`;
}

export interface OwnedKey {
  userId: string;
  keyId: string;
}

/** Null when there are no keys, or one of them is unknown. */
export async function ownedKeysOf(manager: EntityManager, keys: readonly string[]): Promise<OwnedKey[] | null> {
  const required = [...new Set(keys)];
  if (required.length === 0) return null;
  const owned: OwnedKey[] = await manager.query(
    'SELECT id AS "keyId", user_id AS "userId" FROM api_keys WHERE id = ANY($1)',
    [required],
  );
  return owned.length === required.length ? owned : null;
}
