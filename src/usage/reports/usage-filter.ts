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

/** An SQL condition with parameters numbered from `firstParameter`. */
export function conditionOf(filter: UsageFilter, firstParameter: number): { condition: string; values: unknown[] } {
  const conditions = given(filter).map(([name], index) => {
    const type = name === 'users' || name === 'keys' ? 'uuid' : 'text';
    return `${COLUMN_OF[FILTERED[name]]} = ANY($${firstParameter + index}::${type}[])`;
  });
  return { condition: conditions.join(' AND ') || 'true', values: given(filter).map(([, values]) => values) };
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
