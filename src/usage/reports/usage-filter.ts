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

const FILTERED = {
  users: 'user',
  keys: 'key',
  models: 'model',
  statuses: 'status',
  upstreams: 'upstream',
  apis: 'api',
} as const satisfies Record<keyof UsageFilter, UsageDimension>;

/** The filter as an SQL condition. `prefix`: of the columns, for example `part.`. */
export function conditionOf(filter: UsageFilter, parameters: SqlParameters, prefix = ''): string {
  const conditions = given(filter).map(([name, values]) => {
    const type = name === 'users' || name === 'keys' ? 'uuid[]' : 'text[]';
    return `${prefix}${COLUMN_OF[FILTERED[name]]} = ANY(${parameters.add(values, type)})`;
  });
  return conditions.join(' AND ') || 'true';
}

/** The SQL condition that the expression `name` is in the list. */
export function isOneOf(name: string, list: readonly (string | null)[], parameters: SqlParameters): string {
  const names = list.filter((one) => one !== null);
  const isNamed = `${name} = ANY(${parameters.add(names, 'text[]')})`;
  return list.includes(null) ? `(${isNamed} OR ${name} IS NULL)` : isNamed;
}

export function columnsOf(filter: UsageFilter): string[] {
  return given(filter).map(([name]) => COLUMN_OF[FILTERED[name]]);
}

function given(filter: UsageFilter): [keyof UsageFilter, readonly string[]][] {
  return (Object.keys(FILTERED) as (keyof UsageFilter)[]).flatMap((name) => {
    const values = filter[name];
    return values && values.length > 0 ? [[name, values]] : [];
  });
}
