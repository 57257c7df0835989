import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { DatabaseService } from '../../database/database.service.js';
import { InstanceService } from '../../ledger/instance.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { CapacityService, type Demand } from '../../upstreams/capacity.service.js';

const EVERY_MS = 1000;
/** Weight of earlier demand, so that shares change within seconds and not with each call. */
const STORED = 0.7;

/** $1: this process; $2 to $5: its scopes, demand, calls in progress and slots. Returns the other processes' values. */
const EXCHANGE = `
  WITH own AS (
    INSERT INTO capacity_shares (scope, instance_id, asked, under_way, places, seen_at)
    SELECT scope, $1, asked, under_way, places, now()
    FROM unnest($2::text[], $3::double precision[], $4::integer[], $5::integer[])
      AS demand (scope, asked, under_way, places)
    ON CONFLICT (scope, instance_id)
    DO UPDATE SET asked = excluded.asked, under_way = excluded.under_way, places = excluded.places, seen_at = excluded.seen_at
  ), old AS (
    DELETE FROM capacity_shares WHERE seen_at < now() - interval '1 minute'
  )
  SELECT scope, count(*)::integer AS processes, sum(asked) AS requested, sum(under_way)::integer AS under_way,
    sum(places)::integer AS places, min(instance_id) > $1 AS is_first
  FROM capacity_shares
  WHERE scope = ANY ($2) AND instance_id <> $1 AND seen_at > now() - interval '5 seconds'
  GROUP BY scope`;

interface OthersRow {
  scope: string;
  processes: number;
  requested: number;
  under_way: number;
  places: number;
  is_first: boolean;
}

const NOBODY: Omit<OthersRow, 'scope'> = { processes: 0, requested: 0, under_way: 0, places: 0, is_first: true };

/**
 * Shares the providers' limits among the processes on one database in proportion to their demand, once a second. While
 * the database is unavailable, each process keeps its last share. Does nothing if no limits are set.
 */
@Injectable()
export class CapacitySharingService {
  private readonly logger = new Logger('Capacity');
  /** Smoothed calls per second, by scope. */
  private readonly demands = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private isExchanging = false;

  constructor(
    private readonly capacity: CapacityService,
    private readonly instance: InstanceService,
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      // Announces this process's demand before it uses any share.
      await this.exchange();
      await this.exchange();
      this.timer = setInterval(() => void this.exchange(), EVERY_MS).unref();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.demands.size === 0) return;
    await this.dataSource
      .query('DELETE FROM capacity_shares WHERE instance_id = $1', [this.instance.id])
      .catch(() => undefined);
  }

  private async exchange(): Promise<void> {
    if (this.isExchanging) return;
    const own = this.capacity.readDemands();
    if (own.length === 0) return;
    this.isExchanging = true;
    for (const { id, requested } of own)
      this.demands.set(id, STORED * (this.demands.get(id) ?? requested) + (1 - STORED) * requested);
    try {
      const rows: OthersRow[] = await this.dataSource.query(EXCHANGE, [
        this.instance.id,
        own.map(({ id }) => id),
        own.map(({ id }) => this.demands.get(id)),
        own.map(({ underWay }) => underWay),
        own.map(({ claim }) => claim),
      ]);
      this.share(own, rows);
    } catch (error) {
      logFailure(this.logger, 'The limits of upstreams are not shared', error);
    } finally {
      this.isExchanging = false;
    }
  }

  private share(own: readonly Demand[], rows: readonly OthersRow[]): void {
    const others = new Map(rows.map((row) => [row.scope, row]));
    for (const { id, claim } of own) {
      const { processes, requested, under_way, places, is_first: isFirst } = others.get(id) ?? NOBODY;
      const share = shareOfDemand(this.demands.get(id) ?? 0, requested, processes);
      this.capacity.share(id, { share, isFirst, claimed: claim, othersClaimed: places, othersUnderWay: under_way });
    }
  }
}

/** The fraction of a limit that is split evenly, so that an idle process can start immediately. */
const EVEN = 0.1;
/** Calls per second that count as no demand. */
const NO_DEMAND = 0.01;

/** The fraction of a limit for this process, from its own demand and the others'. The fractions of all add up to 1. */
export function shareOfDemand(own: number, others: number, otherProcesses: number): number {
  const even = 1 / (otherProcesses + 1);
  const all = own + others;
  return all < NO_DEMAND ? even : EVEN * even + (1 - EVEN) * (own / all);
}
