import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { sanitized } from '../../common/sanitized.js';
import { ClockService } from '../../database/clock.service.js';
import { DatabaseService } from '../../database/database.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { KEPT_OF_KEY, KEPT_OF_UNKNOWN, KEPT_UNKNOWN, type RecentRefusal, RecentRefusals } from './recent-refusals.js';
import type { Refusal } from './refusal.types.js';
import { COUNT, FORGET_OF_KEYS, FORGET_UNKNOWN, REMEMBER } from './refusal-statements.js';

const FLUSH_MS = 2000;
const MAX_COUNTERS = 10_000;
const HOUR_MS = 3_600_000;
const MAX_MESSAGE_LENGTH = 500;
const MAX_MODEL_LENGTH = 200;

interface Counter {
  refusal: Refusal;
  hour: number;
  calls: number;
}

/** Counts refused requests by the hour and stores the last ones of each key. Written every two seconds. */
@Injectable()
export class RefusalsService {
  private readonly logger = new Logger('Refusals');
  private counters = new Map<string, Counter>();
  /** Many refusals in a row are alike, and building their key costs more than comparing them. */
  private last: Counter | null = null;
  private recent = new RecentRefusals();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => {
      this.timer = setInterval(() => void this.flush(), FLUSH_MS);
    });
  }

  /** `agoMs`: the age of the request. */
  record(refusal: Refusal, agoMs = 0): void {
    const at = this.clock.now() - agoMs;
    this.count({ refusal, hour: Math.floor(at / HOUR_MS) * HOUR_MS, calls: 1 });
    this.recent.add({ refusal, at });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer) await this.flush();
  }

  private count({ refusal, hour, calls }: Counter): void {
    const { last } = this;
    if (last?.hour === hour && isAlike(last.refusal, refusal)) {
      last.calls += calls;
      return;
    }
    const { keyId, model, status, code, api } = refusal;
    const key = `${hour} ${keyId} ${model} ${status} ${code} ${api}`;
    const counter = this.counters.get(key);
    if (counter) {
      counter.calls += calls;
      this.last = counter;
    } else if (this.counters.size < MAX_COUNTERS) {
      this.last = { refusal, hour, calls };
      this.counters.set(key, this.last);
    }
  }

  /** Counts that cannot be written are kept for the next time. */
  private async flush(): Promise<void> {
    if (this.counters.size === 0) return;
    const { counters, recent } = this;
    this.counters = new Map();
    this.last = null;
    this.recent = new RecentRefusals();
    try {
      await this.store([...counters.values()], recent);
    } catch (error) {
      logFailure(this.logger, 'Refused requests could not be written', error);
      for (const counter of counters.values()) this.count(counter);
      const later = this.recent.all();
      this.recent = recent;
      for (const refusal of later) this.recent.add(refusal);
    }
  }

  private async store(counters: readonly Counter[], recent: RecentRefusals): Promise<void> {
    const rows = counters.map(toCounterRow);
    await this.dataSource.transaction(async (manager) => {
      await manager.query(COUNT, [JSON.stringify(rows)]);
      await manager.query(REMEMBER, [JSON.stringify(recent.all().map(toRecentRow))]);
      await manager.query(FORGET_OF_KEYS, [recent.keys(), KEPT_OF_KEY]);
      if (recent.hasUnknown) await manager.query(FORGET_UNKNOWN, [KEPT_OF_UNKNOWN, KEPT_UNKNOWN]);
    });
  }
}

function isAlike(one: Refusal, other: Refusal): boolean {
  return (
    one.keyId === other.keyId &&
    one.model === other.model &&
    one.status === other.status &&
    one.code === other.code &&
    one.api === other.api
  );
}

/** Without model name and message, which are not sanitized here. */
function toCounterRow({ refusal: { keyId, userId, model, status, code, api }, hour, calls }: Counter) {
  return { hour: new Date(hour), keyId, userId, model, status, code, api, calls };
}

/** Sanitized here and not earlier, as only few of many refusals are stored. */
function toRecentRow({ refusal, at }: RecentRefusal) {
  const message = sanitized(refusal.message ?? null, MAX_MESSAGE_LENGTH);
  const askedModel = sanitized(refusal.askedModel ?? null, MAX_MODEL_LENGTH);
  return { ...refusal, at: new Date(at), message, askedModel };
}
