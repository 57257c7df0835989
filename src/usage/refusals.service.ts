import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { sanitized } from '../common/text.js';
import { ClockService } from '../database/clock.service.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';

interface RecentRefusal {
  refusal: Refusal;
  at: number;
}

/** Kept for each key, so that the errors of one key do not displace those of another. */
const MAX_PER_KEY = 100;
/** Kept for each display form of an unknown key. */
const MAX_PER_UNKNOWN = 10;
/** Kept for all unknown keys together. */
const MAX_OF_ALL_UNKNOWN = 300;
/** The number of different unknown keys between two writes; refusals of any others are only counted. */
const MAX_UNKNOWN = 30;

/** The last refusals of each known key, and a few of each unknown key. */
class RecentRefusals {
  private readonly ofKeys = new Map<string, RecentRefusal[]>();
  private readonly ofUnknown = new Map<string, RecentRefusal[]>();

  add(refusal: RecentRefusal): void {
    const { keyId, keyDisplay } = refusal.refusal;
    if (keyId !== null) push(this.ofKeys, keyId, refusal, MAX_PER_KEY);
    else if (this.ofUnknown.size < MAX_UNKNOWN || this.ofUnknown.has(keyDisplay ?? ''))
      push(this.ofUnknown, keyDisplay ?? '', refusal, MAX_PER_UNKNOWN);
  }

  all(): RecentRefusal[] {
    return [...lastOf(this.ofKeys, MAX_PER_KEY), ...lastOf(this.ofUnknown, MAX_PER_UNKNOWN)].flat();
  }

  keys(): string[] {
    return [...this.ofKeys.keys()];
  }

  get hasUnknown(): boolean {
    return this.ofUnknown.size > 0;
  }
}

function push(lists: Map<string, RecentRefusal[]>, name: string, refusal: RecentRefusal, stored: number): void {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  list.push(refusal);
  // Not one by one: an overload can refuse 10,000 calls a second.
  if (list.length >= 2 * stored) list.splice(0, stored);
}

function lastOf(lists: ReadonlyMap<string, RecentRefusal[]>, stored: number): RecentRefusal[][] {
  return [...lists.values()].map((list) => list.slice(-stored));
}

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
      await manager.query(FORGET_OF_KEYS, [recent.keys(), MAX_PER_KEY]);
      if (recent.hasUnknown) await manager.query(FORGET_UNKNOWN, [MAX_PER_UNKNOWN, MAX_OF_ALL_UNKNOWN]);
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

/** Without the requested name of the model and the message, which are not sanitized here. */
function toCounterRow({ refusal: { keyId, userId, model, status, code, api }, hour, calls }: Counter) {
  return { hour: new Date(hour), keyId, userId, model, status, code, api, calls };
}

/** Sanitized here and not earlier, as only few of many refusals are stored. */
function toRecentRow({ refusal, at }: RecentRefusal) {
  const message = sanitized(refusal.message ?? null, MAX_MESSAGE_LENGTH);
  const requestedModel = sanitized(refusal.requestedModel ?? null, MAX_MODEL_LENGTH);
  return { ...refusal, at: new Date(at), message, requestedModel };
}

/** Adds to the counters; $1: their rows as JSON. */
const COUNT = `
  INSERT INTO refused_calls (hour, key_id, user_id, model, status, code, api, calls)
  SELECT hour, "keyId", "userId", model, status, code, api, calls FROM json_to_recordset($1::json)
    AS row (hour timestamptz, "keyId" uuid, "userId" uuid, model text, status int, code text, api text, calls bigint)
  ORDER BY hour, "keyId", model, status, code, api
  ON CONFLICT (hour, key_id, model, status, code, api) DO UPDATE SET calls = refused_calls.calls + excluded.calls`;

/** Stores refusals; $1: their rows as JSON. */
const REMEMBER = `
  INSERT INTO recent_errors (at, request_id, key_id, key_display, user_id, model, api, status, code, asked_model,
    message, client_address, user_agent)
  SELECT at, "requestId", "keyId", "keyDisplay", "userId", model, api, status, code, "requestedModel", message,
    "clientAddress", "userAgent"
  FROM json_to_recordset($1::json)
    AS row (at timestamptz, "requestId" text, "keyId" uuid, "keyDisplay" text, "userId" uuid, model text, api text, status int,
      code text, "requestedModel" text, message text, "clientAddress" text, "userAgent" text)`;

/** Keeps the newest $2 rows of each of the keys $1. */
const FORGET_OF_KEYS = `
  DELETE FROM recent_errors WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY key_id ORDER BY id DESC) AS place
      FROM recent_errors WHERE key_id = ANY($1)
    ) AS ranked WHERE place > $2)`;

/** Keeps the newest $1 rows of each unknown key, and the newest $2 of all unknown keys. */
const FORGET_UNKNOWN = `
  DELETE FROM recent_errors WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY key_display ORDER BY id DESC) AS of_key,
        row_number() OVER (ORDER BY id DESC) AS of_all
      FROM recent_errors WHERE key_id IS NULL
    ) AS ranked WHERE of_key > $1 OR of_all > $2)`;

export interface Refusal {
  requestId: string;
  keyId: string | null;
  userId: string | null;
  /** The API that the client called, for example `responses`. */
  api?: string;
  /** A model id of the catalog; other requested names are not recorded here. */
  model: string | null;
  status: number;
  code: string;
  /** The display form of the presented secret. */
  keyDisplay?: string | null;
  /** The requested model. It and the error message are stored, shortened, with recent errors only. */
  requestedModel?: string | null;
  message?: string | null;
  clientAddress?: string | null;
  userAgent?: string | null;
}
