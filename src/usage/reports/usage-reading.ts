import type { EntityManager } from 'typeorm';
import type { Snapshots } from '../../database/report-reader.service.js';
import { openCalls, SLOT, SUMS, usageEvents } from '../rollups/usage-events.js';
import { cellOf, type SlotSpan, type StoredSums, slotOf, startOfSlot } from '../rollups/usage-pieces.js';
import { COUNTS, HISTOGRAMS, isShared } from '../rollups/usage-rollup-kinds.js';
import { DIMENSIONS } from '../rollups/usage-rollup-statements.js';
import type { UsageDimension, UsageFilter } from '../usage.types.js';
import { hourParts, ownedKeysOf } from './hour-parts.js';
import { kindOf, oldRollupParts } from './old-rollup-parts.js';
import { refusedSums } from './refused-sums.js';
import { COLUMN_OF, conditionOf, FILTER_OF, SqlParameters } from './usage-filter.js';
import type { Sums, SumsQuestion, SumsRow } from './usage-tally.js';

type LiveRow = SumsRow & { slot: number } & Record<(typeof COLUMN_OF)[UsageDimension], string | null>;

/** Reads sums in one snapshot, from the roll-ups and from newer events of the ledger. */
export class UsageReading {
  private constructor(
    /** Uses the same snapshot. */
    readonly manager: EntityManager,
    private readonly live: readonly LiveRow[],
    private readonly state: ReadState,
    /** The maximum lag of the replica; null if the primary was read. */
    readonly replicaLagMs: number | null,
  ) {}

  /** Everything committed before this time is included. */
  get at(): Date {
    return new Date(this.state.now.getTime() - (this.replicaLagMs ?? 0));
  }

  /** Runs `read` in one snapshot; it may read slots from `from` until before `to`. */
  static of<Result>(
    database: Snapshots,
    span: SlotSpan,
    filter: UsageFilter,
    read: (reading: UsageReading) => Promise<Result>,
  ): Promise<Result> {
    return database.snapshot(async (manager, lagMs) => {
      await manager.query("SET LOCAL jit = off; SET LOCAL work_mem = '64MB'");
      const state = await readState(manager);
      const parameters = new SqlParameters(state.rolledUpTo, startOfSlot(span.from), startOfSlot(span.to));
      const during = 'started_at >= $2 AND started_at < $3';
      const live: LiveRow[] = await manager.query(
        `SELECT ${SLOT} AS slot, ${DIMENSIONS.join(', ')}, ${SUMS}
         FROM (${usageEvents('$1', null, during)} UNION ALL ${openCalls(during)}) AS event
         WHERE ${conditionOf(filter, parameters)}
         GROUP BY 1, 2, 3, 4, 5, 6, 7`,
        parameters.values,
      );
      return read(new UsageReading(manager, live, state, lagMs));
    });
  }

  async sums(question: SumsQuestion): Promise<Sums[]> {
    if (question.only?.length === 0) return [];
    const refused = question.withRefused ? await refusedSums(this.manager, question) : [];
    return [...(await this.rolledUp(question)), ...this.notRolledUp(question), ...refused];
  }

  private async rolledUp(question: SumsQuestion): Promise<Sums[]> {
    const parameters = new SqlParameters();
    const parts = await this.parts(question, [...COUNTS, ...HISTOGRAMS].join(', '), parameters);
    if (parts.length === 0) return [];
    return this.manager.query(
      `SELECT cell, sign, name, 0 AS running, ${COUNTS.map((column) => `sum(${column})::bigint AS ${column}`).join(', ')},
         ${HISTOGRAMS.map((column) => `string_agg(${column}, '') AS ${column}`).join(', ')}
       FROM (${parts.join(' UNION ALL ')}) AS part
       GROUP BY cell, sign, name`,
      parameters.values,
    );
  }

  /** Like `sums`, as parts of a statement: rows of cell, sign, name and `columns`. */
  async allParts(question: SumsQuestion, columns: string, parameters: SqlParameters): Promise<string[]> {
    const parts = await this.parts(question, columns, parameters);
    const live = this.notRolledUp(question);
    if (live.length === 0) return parts;
    const column = (of: keyof Sums, type: string) => parameters.addColumn(live, of, type);
    const recent = `SELECT cell, sign, name, ${columns} FROM unnest(${column('cell', 'int[]')}, ${column('sign', 'int[]')},
      ${column('name', `${question.namesAs ?? 'text'}[]`)}, ${COUNTS.map((count) => column(count, 'bigint[]')).join(', ')})
      AS live (cell, sign, name, ${COUNTS.join(', ')})`;
    return [...parts, recent];
  }

  private async parts(question: SumsQuestion, columns: string, parameters: SqlParameters): Promise<string[]> {
    if (isShared(kindOf(question))) return oldRollupParts(this.manager, question, columns, parameters);
    const { starts, end } = question.cells;
    const { hoursBegin, rolledUpTo } = this.state;
    const before = { starts, end: Math.min(end, hoursBegin) };
    const isOld = (starts[0] ?? end) < hoursBegin;
    return [
      ...(isOld ? await oldRollupParts(this.manager, { ...question, cells: before }, columns, parameters) : []),
      ...hourParts(
        { ...question, owned: await ownedKeysOf(this.manager, keysOf(question)), rolledUpTo },
        this.state,
        columns,
        parameters,
      ),
    ];
  }

  private notRolledUp({ cells, groupBy, only, ...filter }: SumsQuestion): Sums[] {
    return this.live
      .filter((row) => matches(row, filter))
      .map((row) => ({
        ...row,
        sign: 1 as const,
        cell: cellOf(row.slot, cells),
        name: groupBy === null ? null : row[COLUMN_OF[groupBy]],
      }))
      .filter(({ cell, name }) => cell >= 0 && (only === undefined || only.includes(name)));
  }
}

/** The reading has events for its own filter; a question can be narrower. */
function matches(row: LiveRow, filter: UsageFilter): boolean {
  return (['model', 'status', 'api', 'upstream'] as const).every((dimension) => {
    const values = filter[FILTER_OF[dimension]] ?? [];
    return values.length === 0 || values.includes(row[COLUMN_OF[dimension]] ?? '');
  });
}

function keysOf({ keys = [], groupBy, only }: SumsQuestion): string[] {
  return groupBy === 'key' && only !== undefined ? only.filter((one) => one !== null) : [...keys];
}

/** Later than every slot: there are no sums yet. */
const NONE = 2 ** 31 - 1;

export interface ReadState extends StoredSums {
  /** Events of the ledger before this transaction are rolled up. */
  rolledUpTo: string;
  now: Date;
}

export async function readState(manager: EntityManager): Promise<ReadState> {
  const [{ firstSlot, ...state }] = await manager.query(
    `SELECT rolled_up_to AS "rolledUpTo", hours_begin AS "hoursBegin", hours_kept_from AS "hoursStoredFrom",
       days_up_to AS "daysUpTo", now(), coalesce((SELECT min(slot) FROM usage_rollups_all_768), ${NONE}) AS "firstSlot"
     FROM usage_rollup_state`,
  );
  const isWhole = state.hoursStoredFrom <= state.hoursBegin;
  const ledgerFrom = isWhole ? 0 : await firstSlotOfLedger(manager);
  return { ...state, firstSlot, ledgerFrom };
}

async function firstSlotOfLedger(manager: EntityManager): Promise<number> {
  const [{ first }]: [{ first: Date | null }] = await manager.query(
    "SELECT min(started_at) AS first FROM usage_calls WHERE status <> 'open'",
  );
  return first === null ? 0 : slotOf(first);
}
