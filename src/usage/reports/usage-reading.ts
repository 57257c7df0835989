import type { EntityManager } from 'typeorm';
import type { Snapshots } from '../../database/report-reader.service.js';
import { openCalls, SLOT, SUMS, usageEvents } from '../rollups/usage-events.js';
import { COUNTS, HISTOGRAMS, kindFor, type RollupKind, rollupTable } from '../rollups/usage-rollup-kinds.js';
import { blocksOf, type Cells, cellOf, startOfSlot } from '../rollups/usage-slots.js';
import { COLUMN_OF, columnsOf, conditionOf } from './usage-filter.js';
import type { UsageDimension, UsageFilter } from './usage-report.types.js';
import type { SumsRow } from './usage-tally.js';

/** What of the sums is asked for. */
export interface SumsQuestion extends UsageFilter {
  cells: Cells;
  groupBy: UsageDimension | null;
  /** Only these groups. */
  only?: readonly (string | null)[];
}

export interface Sums extends SumsRow {
  /** -1: to be taken away. */
  sign: 1 | -1;
  cell: number;
  /** The group; null also where there are none. */
  name: string | null;
}

type LiveRow = SumsRow & { slot: number } & Record<(typeof COLUMN_OF)[UsageDimension], string | null>;

interface Group {
  id: string;
  name: string | null;
}

/** Up to so many single roll-ups are looked up one by one; else all groups of a slot are read together. */
const MOST_LOOKED_UP = 150_000;

/** The sums as they are at one instant: the roll-ups, and what they have not come to yet from the ledger. */
export class UsageReading {
  private constructor(
    /** Sees the same instant. */
    readonly manager: EntityManager,
    private readonly live: readonly LiveRow[],
    /** Whatever was committed before it is in the sums. */
    readonly at: Date,
    /** How far the replica that was read lies behind at most; null: it was the database itself. */
    readonly replicaLagMs: number | null,
  ) {}

  /** All that `read` asks for is of one instant; slots from `from` until before `to` may be asked for. */
  static of<Result>(
    database: Snapshots,
    span: { from: number; to: number },
    filter: UsageFilter,
    read: (reading: UsageReading) => Promise<Result>,
  ): Promise<Result> {
    return database.snapshot(async (manager, lagMs) => {
      await manager.query("SET LOCAL jit = off; SET LOCAL work_mem = '64MB'");
      const [{ rolledUpTo, now }] = await manager.query(
        'SELECT rolled_up_to AS "rolledUpTo", now() FROM usage_rollup_state',
      );
      const { condition, values } = conditionOf(filter, 4);
      const during = 'started_at >= $2 AND started_at < $3';
      const live: LiveRow[] = await manager.query(
        `SELECT ${SLOT} AS slot, user_id, key_id, model, upstream, status, ${SUMS}
         FROM (${usageEvents('$1', null, during)} UNION ALL ${openCalls(during)}) AS event
         WHERE ${condition}
         GROUP BY 1, 2, 3, 4, 5, 6`,
        [rolledUpTo, startOfSlot(span.from), startOfSlot(span.to), ...values],
      );
      return read(new UsageReading(manager, live, new Date(now.getTime() - (lagMs ?? 0)), lagMs));
    });
  }

  async sums(question: SumsQuestion): Promise<Sums[]> {
    return [...(await this.rolledUp(question)), ...this.notRolledUp(question)];
  }

  /**
   * Of users and keys only calls that were not settled are told apart by status: the settled ones are what is left when
   * those are taken from all.
   */
  private async rolledUp({ statuses = [], ...question }: SumsQuestion): Promise<Sums[]> {
    const asked = { ...question, statuses };
    const kind = kindOf(asked);
    const found = await this.read(kind, asked, 1);
    if (kind !== 'failure' || (statuses.length > 0 && !statuses.includes('settled'))) return found;
    const isByStatus = question.groupBy === 'status';
    const every = isByStatus ? { ...question, groupBy: null } : question;
    const settled = [...(await this.read(kindOf(every), every, 1)), ...(await this.read('failure', every, -1))];
    return [...found, ...settled.map((sums) => (isByStatus ? { ...sums, name: 'settled' } : sums))];
  }

  private async read(kind: RollupKind, question: SumsQuestion, sign: 1 | -1): Promise<Sums[]> {
    const groups = await this.groups(kind, question);
    const blocks = [...blocksOf(question.cells)];
    if (groups.length === 0 || blocks.length === 0) return [];
    const looked = groups.length * blocks.reduce((sum, [, { slots }]) => sum + slots.length, 0);
    const toPart = kind === 'all' || kind === 'model' || looked > MOST_LOOKED_UP ? partBySlot : partByGroup;
    const parts = blocks.map(([size], index) => toPart(rollupTable(kind), size, 3 + 2 * index));
    const rows: Omit<Sums, 'sign'>[] = await this.manager.query(
      `WITH asked AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[]) AS asked (group_id, name))
       SELECT cell, name, 0 AS running, ${COUNTS.map((column) => `sum(${column})::bigint AS ${column}`).join(', ')},
         ${HISTOGRAMS.map((column) => `string_agg(${column}, '') AS ${column}`).join(', ')}
       FROM (${parts.join(' UNION ALL ')}) AS part
       GROUP BY cell, name`,
      [
        groups.map(({ id }) => id),
        groups.map(({ name }) => name),
        ...blocks.flatMap(([, { cells, slots }]) => [cells, slots]),
      ],
    );
    return rows.map((row) => ({ ...row, sign }));
  }

  private groups(kind: RollupKind, { cells: _, groupBy, only, ...filter }: SumsQuestion): Promise<Group[]> {
    const name = groupBy === null ? 'NULL' : `${COLUMN_OF[groupBy]}::text`;
    const { condition, values } = conditionOf(filter, 2);
    const isAsked = only === undefined ? '' : `AND ${isOneOf(name, only, `$${values.length + 2}`)}`;
    const named = only === undefined ? [] : [only.filter((one) => one !== null)];
    return this.manager.query(
      `SELECT id, ${name} AS name FROM usage_groups WHERE kind = $1 AND ${condition} ${isAsked}`,
      [kind, ...values, ...named],
    );
  }

  private notRolledUp({ cells, groupBy, only }: SumsQuestion): Sums[] {
    return this.live
      .map((row) => ({
        ...row,
        sign: 1 as const,
        cell: cellOf(row.slot, cells),
        name: groupBy === null ? null : row[COLUMN_OF[groupBy]],
      }))
      .filter(({ cell, name }) => cell >= 0 && (only === undefined || only.includes(name)));
  }
}

function isOneOf(name: string, only: readonly (string | null)[], parameter: string): string {
  const isNamed = `${name} = ANY(${parameter}::text[])`;
  return only.includes(null) ? `(${isNamed} OR ${name} IS NULL)` : isNamed;
}

function kindOf({ groupBy, cells: _, only: __, ...filter }: SumsQuestion): RollupKind {
  return kindFor([...(groupBy === null ? [] : [COLUMN_OF[groupBy]]), ...columnsOf(filter)]);
}

function partBySlot(table: string, size: number, parameter: number): string {
  return `SELECT cell, name, part.* FROM unnest($${parameter}::int[], $${parameter + 1}::int[]) AS block (cell, slot)
    JOIN ${table}_${size} AS part USING (slot) JOIN asked USING (group_id)`;
}

/** `OFFSET 0` keeps the planner, who cannot know how few groups there are, to the look-ups. */
function partByGroup(table: string, size: number, parameter: number): string {
  return `SELECT cell, name, part.* FROM asked
    CROSS JOIN unnest($${parameter}::int[], $${parameter + 1}::int[]) AS block (cell, slot)
    CROSS JOIN LATERAL (
      SELECT * FROM ${table}_${size} AS one
      WHERE one.quarters = ${size} AND one.group_id = asked.group_id AND one.slot = block.slot OFFSET 0
    ) AS part`;
}
