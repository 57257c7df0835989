import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ClockService } from '../../database/clock.service.js';
import { DatabaseService } from '../../database/database.service.js';
import { logFailure } from '../../telemetry/failure-log.js';

export interface Refusal {
  requestId: string;
  keyId: string | null;
  userId: string | null;
  /** By which the client called, for example `responses`. */
  api?: string;
  /** A model id of the catalog; other requested names are not recorded here. */
  model: string | null;
  status: number;
  code: string;
  /** The display form of the presented secret. */
  keyDisplay?: string | null;
  /** The requested model and the error message; stored shortened with recent errors, and not counted by. */
  askedModel?: string | null;
  message?: string | null;
}

const FLUSH_MS = 2000;
/** Per key, so that one key's errors do not displace another's. */
const RECENT_KEPT = 100;
const MAX_COUNTERS = 10_000;
const HOUR_MS = 3_600_000;
const LONGEST_MESSAGE = 500;
const LONGEST_MODEL = 200;

interface Counter {
  refusal: Refusal;
  hour: number;
  calls: number;
}

interface RecentRefusal {
  refusal: Refusal;
  at: number;
}

/** Counts rejected calls by the hour and stores the last ones of each key. Written every two seconds. */
@Injectable()
export class RefusalsService {
  private readonly logger = new Logger('Refusals');
  private counters = new Map<string, Counter>();
  private recent = new Map<string, RecentRefusal[]>();
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
    if (refusal.keyId !== null) this.remember(refusal.keyId, { refusal, at });
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer) await this.flush();
  }

  private count({ refusal, hour, calls }: Counter): void {
    const { keyId, model, status, code } = refusal;
    const key = `${hour} ${keyId} ${model} ${status} ${code}`;
    const counter = this.counters.get(key);
    if (counter) counter.calls += calls;
    else if (this.counters.size < MAX_COUNTERS) this.counters.set(key, { refusal, hour, calls });
  }

  private remember(keyId: string, refusal: RecentRefusal): void {
    const refusals = this.recent.get(keyId) ?? [];
    this.recent.set(keyId, refusals);
    refusals.push(refusal);
    if (refusals.length > RECENT_KEPT) refusals.shift();
  }

  /** Counts that cannot be written are kept for the next time. */
  private async flush(): Promise<void> {
    if (this.counters.size === 0) return;
    const { counters, recent } = this;
    this.counters = new Map();
    this.recent = new Map();
    try {
      await this.store([...counters.values()], recent);
    } catch (error) {
      logFailure(this.logger, 'Rejected calls could not be written', error);
      for (const counter of counters.values()) this.count(counter);
      const later = this.recent;
      this.recent = recent;
      for (const [keyId, refusals] of later) for (const refusal of refusals) this.remember(keyId, refusal);
    }
  }

  private async store(counters: readonly Counter[], recent: ReadonlyMap<string, RecentRefusal[]>): Promise<void> {
    const rows = counters.map(toCounterRow);
    await this.dataSource.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO refused_calls (hour, key_id, model, status, code, calls)
         SELECT hour, "keyId", model, status, code, calls FROM json_to_recordset($1::json)
           AS row (hour timestamptz, "keyId" uuid, model text, status int, code text, calls bigint)
         ORDER BY hour, "keyId", model, status, code
         ON CONFLICT (hour, key_id, model, status, code) DO UPDATE SET calls = refused_calls.calls + excluded.calls`,
        [JSON.stringify(rows)],
      );
      await manager.query(
        `INSERT INTO recent_errors (at, request_id, key_id, key_display, user_id, model, api, status, code, asked_model, message)
         SELECT at, "requestId", "keyId", "keyDisplay", "userId", model, api, status, code, "askedModel", message
         FROM json_to_recordset($1::json)
           AS row (at timestamptz, "requestId" text, "keyId" uuid, "keyDisplay" text, "userId" uuid, model text, api text, status int,
             code text, "askedModel" text, message text)`,
        [JSON.stringify([...recent.values()].flat().map(toRecentRow))],
      );
      await manager.query(
        `DELETE FROM recent_errors WHERE id IN (
           SELECT id FROM (
             SELECT id, row_number() OVER (PARTITION BY key_id ORDER BY id DESC) AS place
             FROM recent_errors WHERE key_id = ANY($1)
           ) AS ranked WHERE place > $2)`,
        [[...recent.keys()], RECENT_KEPT],
      );
    });
  }
}

/** Without model name and message, which are not sanitized here. */
function toCounterRow({ refusal: { keyId, model, status, code }, hour, calls }: Counter) {
  return { hour: new Date(hour), keyId, model, status, code, calls };
}

/** Sanitizes here, as only few of many rejections are stored. */
function toRecentRow({ refusal, at }: RecentRefusal) {
  const message = sanitized(refusal.message ?? null, LONGEST_MESSAGE);
  const askedModel = sanitized(refusal.askedModel ?? null, LONGEST_MODEL);
  return { ...refusal, at: new Date(at), message, askedModel };
}

/** An API key, but not the display form `svc_ab12…9xYz`. */
const KEY_TEXT = /svc_(?!\w{4}…\w{4}\b)\w+/g;

/** Shortened and without API keys. */
function sanitized(text: string | null, longest: number): string | null {
  return text === null ? null : text.replaceAll('\0', '').replace(KEY_TEXT, 'svc_…').slice(0, longest).toWellFormed();
}
