import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from '../common/gateway.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { currentCipher } from '../content-log/content-log.service.js';
import { DatabaseService } from '../database/database.service.js';
import { SessionService } from '../database/session.service.js';
import { InstanceService } from '../ledger/instance.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { CACHE_CLEARED } from './cache-settings.service.js';
import type { AnswerForm, CachedAnswer } from './cached-answer.js';

/** How long equal calls wait for the first one; then they are made as if there were no cache. */
const WAIT_MS = 30_000;
/** How often a process looks for the answer of a call of another process. */
const POLL_MS = 150;
const LOOK_UP_LIMIT_MS = 1000;
/** After a failed look-up, calls bypass the cache for this long. */
const AWAY_MS = 1000;
const TOUCH_MS = 1000;
/** Answers that were just read are given from memory for this long. */
const RECENT_MS = 1000;
const RECENT_BYTES = 16 * 1024 ** 2;
const CLEAN_MS = 3_600_000;
/** Of `maxSize`: what a process writes before it counts again, and how far below the maximum it then deletes. */
const TRIM_SHARE = 1 / 32;

export interface CacheQuestion {
  /** The same for equal calls whose callers share answers. */
  readonly key: Buffer;
  /** A project, else a user; null: the company. */
  readonly ownerId: string | null;
  readonly model: string;
  readonly callId: string;
  readonly isStream: boolean;
  readonly ttlSeconds: number;
}

export interface FoundAnswer {
  readonly answer: CachedAnswer;
  /** `performance.now()` when it was stored, about. */
  readonly storedMs: number;
}

/** How the first of equal calls ended, for those that wait. */
type FlightEnd = FoundAnswer | 'failed' | 'left' | 'away';

interface Flight {
  readonly ended: Promise<FlightEnd>;
  readonly end: (how: FlightEnd) => void;
}

/** A call whose answer may be stored. Others wait for it until it is stored or released. */
export class AnswerClaim {
  private isEnded = false;

  constructor(
    private readonly write: (answer: CachedAnswer | null) => Promise<void>,
    private readonly end: (how: FlightEnd) => void,
  ) {}

  store(answer: CachedAnswer): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.end({ answer, storedMs: performance.now() });
    void this.write(answer);
  }

  /** Does nothing after `store`. `left`: another of the equal calls is made in its place; `failed`: all others. */
  release(how: 'failed' | 'left'): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.end(how);
    void this.write(null);
  }
}

/** Answers of earlier calls in the database, encrypted. Equal calls at the same time wait for the first one. */
@Injectable()
export class CachedAnswersService {
  private readonly logger = new Logger('Cache');
  private readonly flights = new Map<string, Flight>();
  private readonly writes = new Set<Promise<void>>();
  private readonly recent = new LRUCache<string, RecentAnswer>({ maxSize: RECENT_BYTES, ttl: RECENT_MS });
  private touched = new Map<string, Buffer>();
  private touching: NodeJS.Timeout | undefined;
  private cleaning: NodeJS.Timeout | undefined;
  private awayUntil = 0;
  /** Bytes written since the answers were last counted; null: they have not been. */
  private untrimmed: number | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    private readonly instance: InstanceService,
    database: DatabaseService,
    session: SessionService,
  ) {
    session.listen(CACHE_CLEARED, () => this.recent.clear());
    database.beforeReadyInFirst(async () => {
      void this.clean();
      this.cleaning = setInterval(() => void this.clean(), CLEAN_MS).unref();
    });
  }

  /** Whether answers can be encrypted; otherwise none is cached. */
  get isPossible(): boolean {
    return currentCipher(this.settings) !== null;
  }

  /**
   * The stored answer, or the claim of a call that is to be made; null: the database is away, and the call bypasses the
   * cache. Never rejects. Waits for an equal call in progress, in any process.
   */
  async find(question: CacheQuestion, left: AbortSignal): Promise<FoundAnswer | AnswerClaim | null> {
    const name = question.key.toString('base64');
    const recent = this.recent.get(nameOf(name, question));
    if (recent && performance.now() - recent.found.storedMs < question.ttlSeconds * 1000) return recent.found;
    const until = performance.now() + WAIT_MS;
    for (;;) {
      if (performance.now() < this.awayUntil) return null;
      const flight = this.flights.get(name);
      if (!flight) return this.first(name, question, until, left);
      const how = await within(until, left, flight.ended);
      if (how === 'away') return null;
      if (left.aborted || how === null || how === 'failed') return this.unclaimed(question);
      if (how !== 'left') return isFor(how, question) ? how : this.unclaimed(question);
    }
  }

  /** For a call that is to be made although there may be an answer, which its own replaces. */
  unclaimed(question: CacheQuestion): AnswerClaim {
    return new AnswerClaim(
      (answer) => this.track(answer ? this.write(question, answer) : undefined),
      () => undefined,
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.cleaning);
    clearTimeout(this.touching);
    await Promise.all(this.writes);
    await this.touch();
  }

  /** The first of the equal calls in this process. */
  private async first(
    name: string,
    question: CacheQuestion,
    until: number,
    left: AbortSignal,
  ): Promise<FoundAnswer | AnswerClaim | null> {
    const { promise: ended, resolve } = Promise.withResolvers<FlightEnd>();
    const flight: Flight = { ended, end: resolve };
    this.flights.set(name, flight);
    const forget = (): void => {
      if (this.flights.get(name) === flight) this.flights.delete(name);
    };
    const end = (how: FlightEnd): void => {
      flight.end(how);
      forget();
    };
    try {
      const found = await this.foundOrClaimed(question, until, left);
      if (found) {
        end(found);
        return found;
      }
      // Until the answer can be read from the database, this process gives it from memory.
      const write = (answer: CachedAnswer | null) => this.track(this.write(question, answer).finally(forget));
      return new AnswerClaim(write, (how) => (typeof how === 'string' ? end(how) : flight.end(how)));
    } catch (error) {
      if (!isDatabaseUnavailable(error)) logFailure(this.logger, 'A cached answer could not be looked up', error);
      this.awayUntil = performance.now() + AWAY_MS;
      end('away');
      return null;
    }
  }

  /** Null: the call is to be made. */
  private async foundOrClaimed(question: CacheQuestion, until: number, left: AbortSignal): Promise<FoundAnswer | null> {
    for (;;) {
      const found = await this.lookUp(question);
      if (found) return found;
      const claim = [question.key, question.callId, this.instance.id];
      const [claimed]: unknown[] = await inTime(this.dataSource.query(CLAIM, claim));
      // Another call may have been answered since the look-up.
      if (claimed) {
        const later = await this.lookUp(question);
        if (later) await this.unclaim(question);
        return later;
      }
      if (left.aborted || performance.now() >= until) return null;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private async lookUp({ key, isStream, ttlSeconds }: CacheQuestion): Promise<FoundAnswer | null> {
    const cipher = currentCipher(this.settings);
    const parameters = [key, isStream ? 'stream' : 'json', ttlSeconds];
    const [row]: FoundRow[] = await inTime(this.dataSource.query(FIND, parameters));
    const content = row && (await cipher?.open(boundTo(key, row.form), row).catch(() => null));
    if (!row || !content) return null;
    this.touched.set(key.toString('base64'), key);
    this.touching ??= setTimeout(() => void this.touch(), TOUCH_MS).unref();
    const storedMs = performance.now() - row.age * 1000;
    const found = { answer: JSON.parse(content.toString()), storedMs };
    const ttl = Math.min(RECENT_MS, row.left * 1000);
    if (ttl >= 1)
      this.recent.set(nameOf(key.toString('base64'), { isStream }), { found }, { size: content.length, ttl });
    return found;
  }

  /** `answer`: null if there is none, and only the claim is given up. */
  private async write(question: CacheQuestion, answer: CachedAnswer | null): Promise<void> {
    const { key, ownerId, model, ttlSeconds } = question;
    const { maxAnswer, maxSize } = this.settings.cache;
    for (const isStream of [true, false]) this.recent.delete(nameOf(key.toString('base64'), { isStream }));
    const cipher = currentCipher(this.settings);
    try {
      const text = answer && JSON.stringify(answer);
      if (answer && text && cipher && Buffer.byteLength(text) <= maxAnswer) {
        const { secretId, bytes } = await cipher.seal(boundTo(key, answer.form), text);
        const size = bytes.length + ROW_BYTES;
        if (size <= maxSize * (1 - TRIM_SHARE)) {
          await this.makeRoom(size);
          const values = [key, answer.form, ownerId, model, secretId, bytes, size, ttlSeconds];
          await this.dataSource.query(STORE, values);
        }
      }
    } catch (error) {
      logFailure(this.logger, 'An answer could not be cached', error);
    }
    await this.unclaim(question);
  }

  private async unclaim({ key, callId }: CacheQuestion): Promise<void> {
    await this.dataSource
      .query('DELETE FROM cache_claims WHERE key = $1 AND call_id = $2', [key, callId])
      .catch((error) => logFailure(this.logger, 'A claim of the cache could not be deleted', error));
  }

  /** Deletes the least recently used answers before the total exceeds `maxSize`. */
  private async makeRoom(size: number): Promise<void> {
    const { maxSize } = this.settings.cache;
    if (this.untrimmed !== null && this.untrimmed + size < maxSize * TRIM_SHARE) {
      this.untrimmed += size;
      return;
    }
    this.untrimmed = size;
    await this.touch();
    await this.dataSource.query(TRIM, [Math.floor(maxSize * (1 - TRIM_SHARE)) - size]);
  }

  private async touch(): Promise<void> {
    this.touching = undefined;
    const keys = [...this.touched.values()];
    if (keys.length === 0) return;
    this.touched = new Map();
    await this.dataSource
      .query('UPDATE cached_answers SET used_at = now() WHERE key = ANY ($1::bytea[])', [keys])
      .catch((error) => logFailure(this.logger, 'The use of cached answers could not be noted', error));
  }

  private async clean(): Promise<void> {
    try {
      await this.dataSource.query(DROP_OLD);
      await this.dataSource.query(`DELETE FROM cache_claims WHERE at < now() - interval '1 hour'`);
      await this.dataSource.query(TRIM, [this.settings.cache.maxSize]);
    } catch (error) {
      logFailure(this.logger, 'Expired cached answers could not be deleted', error);
    }
  }

  private async track(write: Promise<void> | undefined): Promise<void> {
    if (!write) return;
    this.writes.add(write);
    await write.finally(() => this.writes.delete(write));
  }
}

interface FoundRow {
  readonly form: AnswerForm;
  readonly secretId: string;
  readonly bytes: Buffer;
  /** Seconds. */
  readonly age: number;
  /** Seconds until it expires. */
  readonly left: number;
}

interface RecentAnswer {
  readonly found: FoundAnswer;
}

/** What a row takes beside its content, about. */
const ROW_BYTES = 250;

const FIND = `SELECT form, secret_id AS "secretId", content AS bytes, extract(epoch FROM now() - stored_at)::float8 AS age,
    extract(epoch FROM expires_at - now())::float8 AS "left"
  FROM cached_answers WHERE key = $1 AND form IN ('any', $2) AND expires_at > now()
    AND stored_at > now() - $3 * interval '1 second'
  ORDER BY stored_at DESC LIMIT 1`;

/**
 * Also takes the claim of a process that is gone (its advisory lock is free), one that nobody waits for any more, and one
 * that this process has ended but not deleted yet.
 */
const CLAIM = `INSERT INTO cache_claims AS held (key, call_id, instance_id, at) VALUES ($1, $2, $3, now())
  ON CONFLICT (key) DO UPDATE SET call_id = excluded.call_id, instance_id = excluded.instance_id, at = excluded.at
  WHERE held.at < now() - ${WAIT_MS / 1000} * interval '1 second'
    OR held.instance_id = excluded.instance_id OR pg_try_advisory_xact_lock(held.instance_id)
  RETURNING 1`;

const STORE = `INSERT INTO cached_answers
    (key, form, owner_id, model, secret_id, content, bytes, stored_at, expires_at, used_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now() + $8 * interval '1 second', now())
  ON CONFLICT (key, form) DO UPDATE SET secret_id = excluded.secret_id, content = excluded.content,
    bytes = excluded.bytes, stored_at = excluded.stored_at, expires_at = excluded.expires_at, used_at = excluded.used_at`;

/** Keeps the most recently used answers up to `$1` bytes. */
const TRIM = `DELETE FROM cached_answers AS stored
  USING (SELECT key, form, sum(bytes) OVER (ORDER BY used_at DESC, key, form) AS total FROM cached_answers) AS ranked
  WHERE stored.key = ranked.key AND stored.form = ranked.form AND ranked.total > $1`;

/** Also those of owners that are gone, if a call of theirs ended later. */
const DROP_OLD = `DELETE FROM cached_answers WHERE expires_at <= now() OR owner_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM users WHERE id = owner_id AND forgotten_at IS NULL)
  AND NOT EXISTS (SELECT FROM projects WHERE id = owner_id AND archived_at IS NULL)`;

function nameOf(key: string, { isStream }: Pick<CacheQuestion, 'isStream'>): string {
  return isStream ? `${key} stream` : key;
}

function boundTo(key: Buffer, form: AnswerForm): string {
  return `cache/${form}/${key.toString('base64')}`;
}

function isFor({ answer: { form } }: FoundAnswer, { isStream }: CacheQuestion): boolean {
  return form === 'any' || form === (isStream ? 'stream' : 'json');
}

/** Rejects like a network timeout. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' });
    timer = setTimeout(() => reject(error), LOOK_UP_LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** Null: the time is up, or the caller has left. */
async function within<Result>(until: number, left: AbortSignal, work: Promise<Result>): Promise<Result | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = (): void => resolve(null);
  const timer = setTimeout(stop, until - performance.now());
  left.addEventListener('abort', stop);
  if (left.aborted) stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    left.removeEventListener('abort', stop);
  }
}
