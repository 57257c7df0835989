import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { RATE_NAMES, type RateName } from './values/limit-values.js';

export interface Level {
  readonly name: RateName;
  readonly limit: number;
  /** Above the limit when calls used more tokens than estimated. */
  readonly used: number;
  /** Time until the bucket is full again; null for concurrent calls. */
  readonly fullInSeconds: number | null;
}

export type Rates = Readonly<Record<RateName, number | null>>;

interface LevelRow {
  readonly id: string;
  readonly passed: number;
  readonly requests_used: number;
  readonly tokens_used: number;
  readonly requests_per_minute: number | null;
  readonly tokens_per_minute: number | null;
  readonly running: number;
}

const LEVELS = `
  SELECT id, requests_used, tokens_used, requests_per_minute, tokens_per_minute, running, greatest(0, date_part('epoch', clock_timestamp() - at)) AS passed
  FROM limit_balances WHERE id = ANY ($1::uuid[])`;

@Injectable()
export class LevelsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** By the id of the user or key. Makes no query when nothing is limited. */
  async of(limits: ReadonlyMap<string, Rates>): Promise<Map<string, Level[]>> {
    const limited = [...limits].filter(([, rates]) => RATE_NAMES.some((name) => rates[name] !== null));
    if (limited.length === 0) return new Map();
    const rows: LevelRow[] = await this.dataSource.query(LEVELS, [limited.map(([id]) => id)]);
    const found = new Map(rows.map((row) => [row.id, row]));
    return new Map(limited.map(([id, rates]) => [id, levelsOf(rates, found.get(id))]));
  }
}

function levelsOf({ requestsPerMinute, tokensPerMinute, concurrentCalls }: Rates, row?: LevelRow): Level[] {
  const passed = row?.passed ?? 0;
  return [
    ...bucket('requestsPerMinute', requestsPerMinute, row?.requests_used ?? 0, passed, row?.requests_per_minute),
    ...bucket('tokensPerMinute', tokensPerMinute, row?.tokens_used ?? 0, passed, row?.tokens_per_minute),
    ...(concurrentCalls === null
      ? []
      : [{ name: 'concurrentCalls', limit: concurrentCalls, used: row?.running ?? 0, fullInSeconds: null } as const]),
  ];
}

/** The same as `limit_settled` in the database: time before a change of the rate counts at the old rate. */
function bucket(
  name: RateName,
  limit: number | null,
  usedThen: number,
  passed: number,
  oldLimit: number | null = null,
): Level[] {
  if (limit === null) return [];
  const left = Math.max(0, usedThen - (passed * (oldLimit ?? limit)) / 60);
  const used = oldLimit === limit ? left : Math.min(limit, left);
  return [{ name, limit, used: Math.ceil(used - 1e-6), fullInSeconds: (used * 60) / limit }];
}
