import type { EntityManager } from 'typeorm';
import { blocksOf } from '../rollups/usage-pieces.js';
import { isShared, kindFor, type RollupKind, rollupTable } from '../rollups/usage-rollup-kinds.js';
import { COLUMN_OF, columnsOf, conditionOf, isOneOf, SqlParameters } from './usage-filter.js';
import type { SumsQuestion } from './usage-tally.js';

interface Group {
  id: string;
  name: string | null;
}

/** Up to this many roll-ups are looked up one by one; beyond it, all groups of a slot are read. */
const MAX_LOOKED_UP = 150_000;

/** The kind with the fewest groups that can answer the question. */
export function kindOf(question: SumsQuestion): RollupKind {
  const { groupBy } = question;
  return kindFor([...(groupBy === null ? [] : [COLUMN_OF[groupBy]]), ...columnsOf(question)]);
}

/**
 * Parts of a statement over the roll-ups: rows of cell, sign, name and `columns`. For users and keys, only unsettled
 * calls are stored by status; settled calls are the difference from all calls.
 */
export async function oldRollupParts(
  manager: EntityManager,
  { statuses = [], ...question }: SumsQuestion,
  columns: string,
  parameters: SqlParameters,
): Promise<string[]> {
  const requested = { ...question, statuses };
  const kind = kindOf(requested);
  const parts = (of: RollupKind, part: SumsQuestion, sign: 1 | -1, name?: string) =>
    partsOf(manager, of, part, { columns, sign, name }, parameters);
  const found = await parts(kind, requested, 1);
  if (kind !== 'failure' || (statuses.length > 0 && !statuses.includes('settled'))) return found;
  const isByStatus = question.groupBy === 'status';
  const every = isByStatus ? { ...question, groupBy: null } : question;
  const name = isByStatus ? "'settled'" : undefined;
  return [...found, ...(await parts(kindOf(every), every, 1, name)), ...(await parts('failure', every, -1, name))];
}

interface Shape {
  columns: string;
  sign: 1 | -1;
  name?: string | undefined;
}

async function partsOf(
  manager: EntityManager,
  kind: RollupKind,
  question: SumsQuestion,
  shape: Shape,
  parameters: SqlParameters,
): Promise<string[]> {
  const groups = await groupsOf(manager, kind, question);
  const blocks = [...blocksOf(question.cells)];
  if (groups.length === 0 || blocks.length === 0) return [];
  const looked = groups.length * blocks.reduce((sum, [, { slots }]) => sum + slots.length, 0);
  const from = isShared(kind) || looked > MAX_LOOKED_UP ? fromSlots : fromGroups;
  const ids = parameters.addColumn(groups, 'id', 'bigint[]');
  const names = parameters.addColumn(groups, 'name', `${question.namesAs ?? 'text'}[]`);
  return blocks.map(([size, { cells, slots }]) => {
    const block = `unnest(${parameters.add(cells, 'int[]')}, ${parameters.add(slots, 'int[]')}) AS block (cell, slot)`;
    return `SELECT cell, ${shape.sign} AS sign, ${shape.name ?? 'name'} AS name, ${shape.columns}
      FROM ${from(`${rollupTable(kind)}_${size}`, size, block, `unnest(${ids}, ${names}) AS asked (group_id, name)`)}`;
  });
}

function groupsOf(manager: EntityManager, kind: RollupKind, question: SumsQuestion): Promise<Group[]> {
  const { groupBy, only } = question;
  const name = groupBy === null ? 'NULL' : `${COLUMN_OF[groupBy]}::text`;
  const parameters = new SqlParameters(kind);
  const condition = conditionOf(question, parameters);
  const isRequested = only === undefined ? 'true' : isOneOf(name, only, parameters);
  return manager.query(
    `SELECT id, ${name} AS name FROM usage_groups WHERE kind = $1 AND ${condition} AND ${isRequested}`,
    parameters.values,
  );
}

function fromSlots(table: string, _: number, block: string, requested: string): string {
  return `${block} JOIN ${table} AS part USING (slot) JOIN ${requested} USING (group_id)`;
}

/** `OFFSET 0` makes the planner use look-ups; it does not know how few groups there are. */
function fromGroups(table: string, size: number, block: string, requested: string): string {
  return `${requested} CROSS JOIN ${block} CROSS JOIN LATERAL (
    SELECT * FROM ${table} AS one
    WHERE one.quarters = ${size} AND one.group_id = asked.group_id AND one.slot = block.slot OFFSET 0
  ) AS part`;
}
