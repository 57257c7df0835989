import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { MetricsService } from '../telemetry/metrics.service.js';
import { TalliedCounter, type Tally } from '../telemetry/tallies.js';

const FLUSH_MS = 1000;

export type CacheResult = 'hit' | 'miss' | 'bypass';

interface Counts {
  readonly model: string;
  readonly ownerId: string;
  hits: number;
  misses: number;
  saved: number;
}

export interface CacheUse {
  /** A model's id, or the name of a project. */
  readonly name: string;
  readonly hits: number;
  readonly misses: number;
  readonly savedNanodollars: number;
}

/** Counts how often calls were answered from the cache, and what that saved: once a second, so that no call waits. */
@Injectable()
export class CacheUsageService {
  private readonly logger = new Logger('Cache');
  private readonly answers: TalliedCounter<'model' | 'result'>;
  private readonly savings: TalliedCounter<'model'>;
  private readonly tallies = new Map<string, Tally>();
  private counts = new Map<string, Counts>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    { registry }: MetricsService,
    database: DatabaseService,
  ) {
    const about = 'Calls that the cache is on for, by the model and the result: hit, miss or bypass.';
    this.answers = new TalliedCounter(registry, 'gateway_cache_answers_total', about, ['model', 'result']);
    const saved = 'US dollars that calls would have cost which were answered from the cache.';
    this.savings = new TalliedCounter(registry, 'gateway_cache_saved_usd_total', saved, ['model']);
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
    });
  }

  /** `ownerId`: the caller's project, else the user. */
  note(model: string, ownerId: string, result: CacheResult, nanodollars = 0): void {
    this.tally(`${result} ${model}`, () => this.answers.child({ model, result })).value++;
    if (nanodollars > 0) this.tally(`saved ${model}`, () => this.savings.child({ model })).value += nanodollars / 1e9;
    if (result === 'bypass') return;
    const name = `${ownerId} ${model}`;
    const counts = this.counts.get(name) ?? { model, ownerId, hits: 0, misses: 0, saved: 0 };
    counts.hits += result === 'hit' ? 1 : 0;
    counts.misses += result === 'miss' ? 1 : 0;
    counts.saved += nanodollars;
    this.counts.set(name, counts);
  }

  /** Since `days` days ago, by the days of UTC; the most used first. */
  async report(days: number): Promise<{ models: CacheUse[]; projects: CacheUse[] }> {
    const since = `day > (now() AT TIME ZONE 'UTC')::date - $1::int`;
    const [models, projects]: CacheUse[][] = await Promise.all([
      this.dataSource.query(`SELECT model AS name, ${SUMS} FROM cache_days WHERE ${since} GROUP BY 1 ${ORDER}`, [days]),
      this.dataSource.query(
        `SELECT coalesce(p.name, '') AS name, ${SUMS} FROM cache_days LEFT JOIN projects p ON p.id = owner_id
         WHERE ${since} GROUP BY p.id, p.name ${ORDER}`,
        [days],
      ),
    ]);
    return { models: models ?? [], projects: projects ?? [] };
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private tally(name: string, create: () => Tally): Tally {
    const known = this.tallies.get(name) ?? create();
    this.tallies.set(name, known);
    return known;
  }

  private async flush(): Promise<void> {
    if (this.counts.size === 0) return;
    const noted = [...this.counts.values()];
    this.counts = new Map();
    try {
      await this.dataSource.query(ADD, [JSON.stringify(noted)]);
    } catch (error) {
      logFailure(this.logger, 'The use of the cache could not be counted', error);
      for (const { model, ownerId, hits, misses, saved } of noted) {
        const name = `${ownerId} ${model}`;
        const later = this.counts.get(name) ?? { model, ownerId, hits: 0, misses: 0, saved: 0 };
        const sums = { hits: later.hits + hits, misses: later.misses + misses, saved: later.saved + saved };
        this.counts.set(name, { ...later, ...sums });
      }
    }
  }
}

const SUMS =
  'sum(hits)::float8 AS hits, sum(misses)::float8 AS misses, sum(saved_nanodollars)::float8 AS "savedNanodollars"';
const ORDER = 'ORDER BY sum(hits + misses) DESC, name LIMIT 200';

/** In a fixed order, so that processes never wait for each other in a circle. */
const ADD = `INSERT INTO cache_days AS d (day, model, owner_id, hits, misses, saved_nanodollars)
  SELECT (now() AT TIME ZONE 'UTC')::date, model, "ownerId", hits, misses, saved
  FROM json_to_recordset($1::json) AS noted (model text, "ownerId" uuid, hits bigint, misses bigint, saved bigint)
  ORDER BY model, "ownerId"
  ON CONFLICT (day, model, owner_id) DO UPDATE SET hits = d.hits + excluded.hits,
    misses = d.misses + excluded.misses, saved_nanodollars = d.saved_nanodollars + excluded.saved_nanodollars`;
