import type { SqlParameters } from './sql-parameters.js';
import type { UsageDimension, UsageFilter } from './usage-report.types.js';

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
  return conditions.join(' AND ') || 'true';
}

/** An SQL condition: `name`, an expression, has a value of the list. */
export function isOneOf(name: string, list: readonly (string | null)[], parameters: SqlParameters): string {
  const names = list.filter((one) => one !== null);
  const isNamed = `${name} = ANY(${parameters.add(names, 'text[]')})`;
  return list.includes(null) ? `(${isNamed} OR ${name} IS NULL)` : isNamed;
}

export function columnsOf(filter: UsageFilter): string[] {
  return given(filter).map(([dimension]) => COLUMN_OF[dimension]);
}

function given(filter: UsageFilter): [UsageDimension, readonly string[]][] {
  return (Object.keys(FILTER_OF) as UsageDimension[])
    .map((dimension): [UsageDimension, readonly string[]] => [dimension, filter[FILTER_OF[dimension]] ?? []])
    .filter(([, values]) => values.length > 0);
}
