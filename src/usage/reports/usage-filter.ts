import type { CallConditions, UsageDimension, UsageFilter } from '../usage.types.js';

export const COLUMN_OF = {
  user: 'user_id',
  key: 'key_id',
  model: 'model',
  upstream: 'upstream',
  status: 'status',
  api: 'api',
} as const satisfies Record<UsageDimension, string>;

export const FILTER_OF = {
  user: 'users',
  key: 'keys',
  model: 'models',
  upstream: 'upstreams',
  status: 'statuses',
  api: 'apis',
} as const satisfies Record<UsageDimension, keyof UsageFilter>;

/** The filter as an SQL condition. `prefix`: of the columns, for example `part.`. */
export function conditionOf(filter: UsageFilter, parameters: SqlParameters, prefix = ''): string {
  const conditions = given(filter).map(([dimension, values]) => {
    const type = dimension === 'user' || dimension === 'key' ? 'uuid[]' : 'text[]';
    return `${prefix}${COLUMN_OF[dimension]} = ANY(${parameters.add(values, type)})`;
  });
  const isSimulated = `(${prefix}upstream IS NULL AND ${prefix}status = 'settled')`;
  if (filter.simulated !== undefined) conditions.push(filter.simulated ? isSimulated : `NOT ${isSimulated}`);
  return conditions.join(' AND ') || 'true';
}

/** The conditions on errors in SQL, over the columns of the code and of the statuses. */
export function errorConditionOf(
  { codes = [], httpStatuses = [] }: CallConditions,
  parameters: SqlParameters,
  columns: { readonly code: string; readonly statuses: readonly string[] },
): string {
  const isOfCode = codes.length === 0 ? 'true' : `${columns.code} = ANY(${parameters.add(codes, 'text[]')})`;
  if (httpStatuses.length === 0) return isOfCode;
  const numbers = parameters.add(httpStatuses, 'int[]');
  return `${isOfCode} AND (${columns.statuses.map((column) => `${column} = ANY(${numbers})`).join(' OR ')})`;
}

/** An SQL condition: `name`, an expression, has a value of the list. */
export function isOneOf(name: string, list: readonly (string | null)[], parameters: SqlParameters): string {
  const names = list.filter((one) => one !== null);
  const isNamed = `${name} = ANY(${parameters.add(names, 'text[]')})`;
  return list.includes(null) ? `(${isNamed} OR ${name} IS NULL)` : isNamed;
}

export function columnsOf(filter: UsageFilter): string[] {
  const columns = given(filter).map(([dimension]) => COLUMN_OF[dimension]);
  return filter.simulated === undefined ? columns : [...columns, 'upstream', 'status'];
}

function given(filter: UsageFilter): [UsageDimension, readonly string[]][] {
  return (Object.keys(FILTER_OF) as UsageDimension[])
    .map((dimension): [UsageDimension, readonly string[]] => [dimension, filter[FILTER_OF[dimension]] ?? []])
    .filter(([, values]) => values.length > 0);
}

export class SqlParameters {
  readonly values: unknown[];

  constructor(...values: unknown[]) {
    this.values = values;
  }

  /** Returns the placeholder with its type: `$1::int[]`. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  /** Adds a list: the field's value in each row. */
  addColumn<Row>(rows: readonly Row[], field: keyof Row, type: string): string {
    const values = rows.map((row) => row[field]);
    return this.add(values, type);
  }
}
