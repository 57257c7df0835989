import type { DataSource, EntityTarget, ObjectLiteral, QueryRunner } from 'typeorm';
import { UsageError } from '../common/usage.error.js';

export interface SortBy {
  readonly sql: string;
  readonly type: 'text' | 'bigint' | 'timestamptz';
  /** Rows without a value come last in both directions. */
  readonly isNullable?: boolean;
}

/** The end of a page: the last row's value, as text, and its id. */
export interface ListPlace {
  readonly value: string | null;
  readonly id: string;
}

interface Behind {
  readonly sort: SortBy;
  readonly descending: boolean;
  /** The id column, which makes the order unique. */
  readonly id: string;
  /** The end of the previous page; null for the first page. */
  readonly place: ListPlace | null;
  readonly firstParameter: number;
}

interface ListOrder {
  readonly condition: string;
  readonly order: string;
  readonly values: readonly unknown[];
}

/** The SQL for the rows after a place in a sorted list, at the same cost for all pages. */
export function behindPlace({ sort, descending, id, place, firstParameter }: Behind): ListOrder {
  const direction = descending ? 'DESC NULLS LAST' : 'ASC NULLS LAST';
  const order = `${sort.sql} ${direction}, ${id} ${descending ? 'DESC' : 'ASC'}`;
  if (place === null) return { condition: 'true', order, values: [] };
  const [than, ofId] = [descending ? '<' : '>', `$${firstParameter}::uuid`];
  if (place.value === null)
    return { condition: `${sort.sql} IS NULL AND ${id} ${than} ${ofId}`, order, values: [place.id] };
  const value = `$${firstParameter + 1}::text::${sort.type}`;
  const behind = `(${sort.sql}, ${id}) ${than} (${value}, ${ofId})`;
  const condition = sort.isNullable ? `(${behind} OR ${sort.sql} IS NULL)` : behind;
  return { condition, order, values: [place.id, place.value] };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^([1-9]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?[+-](?:0\d|1[0-5])(?::[0-5]\d){0,2}$/;
const IS_VALUE: Readonly<Record<SortBy['type'], (value: string) => boolean>> = {
  text: (value) => !value.includes('\0'),
  bigint: (value) => /^-?\d{1,18}$/.test(value),
  timestamptz: isInstant,
};

export function cursorOfPlace({ value, id }: ListPlace): string {
  return Buffer.from(`${id}${value === null ? '' : `|${value}`}`).toString('base64url');
}

/** Throws a `UsageError` for an invalid cursor. */
export function placeOfCursor(cursor: string, sort: SortBy): ListPlace {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [id, value] = [text.slice(0, 36), text.length > 36 ? text.slice(37) : null];
  const isPlace = UUID.test(id) && (value === null ? sort.isNullable : text[36] === '|' && IS_VALUE[sort.type](value));
  if (!isPlace) throw new UsageError('This page does not exist.', 'cursor');
  return { id, value };
}

/** In Postgres's format. Postgres rejects 30 February, which `Date` reads as 2 March. */
function isInstant(value: string): boolean {
  const [, date = '', time = ''] = INSTANT.exec(value) ?? [];
  const instant = new Date(`${date}T${time}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${date}T${time}`);
}

/** One LIKE pattern for each word; all must match. */
export function searchPatterns(text: string): string[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${escapeLike(word)}%`);
}

/** A case-insensitive match; with only ASCII letters, collation "C" takes half the time. */
export function holdsPattern(text: string, pattern: string, parameter: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of ASCII.
  return `${text} ILIKE ${parameter}${/^[\x00-\x7f]*$/.test(pattern) ? ' COLLATE "C"' : ''}`;
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Counting stops at this number. */
const MAX_COUNTED = 10_000;

export interface ListTotal {
  readonly count: number;
  /** False if there are more. */
  readonly isExact: boolean;
}

/** `from`: the rest of a SELECT from its FROM on. */
export async function countRows(dataSource: DataSource, from: string, values: readonly unknown[]): Promise<ListTotal> {
  const [row]: { count: number }[] = await dataSource.query(
    `SELECT count(*)::int AS count FROM (SELECT ${from} LIMIT ${MAX_COUNTED + 1}) AS found`,
    [...values],
  );
  const count = row?.count ?? 0;
  return { count: Math.min(count, MAX_COUNTED), isExact: count <= MAX_COUNTED };
}

const BATCH = 1000;

/** The rows of a query in one snapshot, in batches, of which only one is in memory. */
export async function* rowBatches<Row>(
  dataSource: DataSource,
  sql: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Row[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`DECLARE row_batches NO SCROLL CURSOR FOR ${sql}`, [...values]);
    yield* fetched<Row>(runner);
    await runner.commitTransaction();
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

async function* fetched<Row>(runner: QueryRunner): AsyncGenerator<Row[]> {
  for (;;) {
    const rows: Row[] = await runner.query(`FETCH ${BATCH} FROM row_batches`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
  }
}

/**
 * Selects entities like `rowBatches`. `rest` follows the columns of `alias`. Only for entities whose columns need no
 * conversion, which saves most of TypeORM's time.
 */
export async function* entityBatches<Entity extends ObjectLiteral, More>(
  dataSource: DataSource,
  target: EntityTarget<Entity>,
  alias: string,
  rest: string,
  values: readonly unknown[] = [],
): AsyncGenerator<(Entity & More)[]> {
  const columns = dataSource.getMetadata(target).columns.filter(({ isSelect }) => isSelect);
  const selected = columns.map(({ databaseName, propertyName }) => `${alias}.${databaseName} AS "${propertyName}"`);
  yield* rowBatches<Entity & More>(dataSource, `SELECT ${selected.join(', ')}${rest}`, values);
}
