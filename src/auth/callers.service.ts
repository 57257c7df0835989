import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { PlansService } from '../billing/plans.service.js';
import { AddressList } from '../common/address-list.js';
import { isDatabaseUnavailable } from '../common/gateway.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ALL_CALLERS, CALLER_CHANGED } from '../database/changes.service.js';
import { ClockService } from '../database/clock.service.js';
import { SessionService } from '../database/session.service.js';
import type { KeyOwner, KnownCaller } from './caller.types.js';
import { CallerCache, type CallerEntry } from './caller-cache.js';
import { UnknownKeysService } from './unknown-keys.service.js';

const UNNOTIFIED_TTL_MS = 1000;
/** The minimum time for which known callers are served from memory after the last contact with the database. */
const REMEMBERED_MS = 15_000;
const REMEMBERED_LIMIT_MS = 500;
const LIMIT_MS = 2000;
const RETRY_MS = 100;
/** The number of keys that can wait for an unavailable database; requests with further keys are refused immediately. */
const MAX_WAITING = 10_000;

const NO_GUARDS: readonly string[] = [];

interface CallerRow {
  key_id: string;
  display: string;
  user_id: string;
  models: string[] | null;
  addresses: string[] | null;
  /** Of the presented secret: the previous one expires with its overlap. */
  expires_at: Date | null;
  disabled_by: KnownCaller['disabledBy'];
  owner_disabled: boolean;
  is_revoked: boolean;
  logs_content: boolean;
  guards: string[];
  cache_seconds: number | null;
  project_archived: boolean;
  person_id: string | null;
}

interface FoundKey {
  readonly known: KnownCaller | null;
  /** Also of a revoked key; null if no key has this secret. */
  readonly owner: KeyOwner | null;
}

/** Finds the caller for a key's hash: from memory when cached, but never older than a notified change. */
@Injectable()
export class CallersService {
  private readonly cache: CallerCache;
  private readonly loading = new Map<string, Promise<KnownCaller | null>>();
  private readonly ttl: number;
  private readonly rememberedMs: number;
  /** Changes notified so far; a result that was read before one may be outdated. */
  private changes = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly plans: PlansService,
    private readonly session: SessionService,
    private readonly clock: ClockService,
    private readonly unknown: UnknownKeysService,
    @InjectSettings() { auth, whenDatabaseIsAway: away }: Settings,
  ) {
    this.rememberedMs = Math.max(REMEMBERED_MS, away.do === 'serve' ? away.forAtMost : 0);
    this.cache = new CallerCache(auth.cacheSize);
    this.ttl = auth.cacheTtl;
    session.listen(CALLER_CHANGED, (payload) => (payload === ALL_CALLERS ? this.forgetAll() : this.forget(payload)));
    session.restored.subscribe(() => this.forgetAll());
  }

  /**
   * The caller of a key that is neither expired nor revoked, or null. Only the first call for a key waits for the
   * database. Rejects with a 429 after too many unknown keys from `address` and its network.
   */
  find(keyHash: string, address?: string): KnownCaller | null | Promise<KnownCaller | null> {
    const entry = this.cache.get(keyHash);
    if (entry && this.isFresh(entry)) return this.usable(entry.known);
    if (!entry) {
      if (this.unknown.has(keyHash)) return null;
      this.unknown.assertMayQuery(address);
    }
    return this.load(keyHash, address).then((known) => this.usable(known));
  }

  /** The owner of an expired or revoked key; null if no key has this secret. */
  ownerOf(keyHash: string): KeyOwner | null {
    return this.cache.get(keyHash)?.known.caller ?? this.unknown.ownerOf(keyHash);
  }

  private isFresh({ known, loadedAt }: CallerEntry): boolean {
    const age = performance.now() - loadedAt;
    if (age >= (this.session.isUp ? this.ttl : Math.min(this.ttl, UNNOTIFIED_TTL_MS))) return false;
    return this.isPlanCurrent(known);
  }

  private isPlanCurrent({ planChangesAt }: KnownCaller): boolean {
    return planChangesAt === null || this.clock.now() < planChangesAt;
  }

  private load(keyHash: string, address: string | undefined): Promise<KnownCaller | null> {
    let loading = this.loading.get(keyHash);
    if (!loading) {
      loading = this.queryOrRemember(keyHash, address).finally(() => this.loading.delete(keyHash));
      this.loading.set(keyHash, loading);
    }
    return loading;
  }

  /** Waits through short outages of the database; known callers are served from memory. */
  private async queryOrRemember(keyHash: string, address: string | undefined): Promise<KnownCaller | null> {
    const until = performance.now() + LIMIT_MS;
    for (;;) {
      try {
        return await this.query(keyHash, this.remembered(keyHash) ? REMEMBERED_LIMIT_MS : LIMIT_MS, address);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        const remembered = this.remembered(keyHash);
        if (remembered) {
          this.cache.set(keyHash, remembered);
          return remembered.known;
        }
        if (performance.now() + RETRY_MS > until || this.loading.size > MAX_WAITING) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** A cached caller, if no change was notified since and notifications were not silent for too long. */
  private remembered(keyHash: string): CallerEntry | null {
    const known = this.cache.get(keyHash)?.known;
    if (!known || this.session.silentMs > this.rememberedMs || !this.isPlanCurrent(known)) return null;
    return { known, loadedAt: performance.now() };
  }

  private async query(keyHash: string, limitMs: number, address: string | undefined): Promise<KnownCaller | null> {
    for (;;) {
      const { changes } = this;
      const loadedAt = performance.now();
      const { known, owner } = await within(limitMs, this.read(keyHash));
      if (changes !== this.changes) continue;
      if (known) this.cache.set(keyHash, { known, loadedAt });
      else {
        this.cache.delete(keyHash);
        this.unknown.note(keyHash, { seenAt: loadedAt, owner }, address);
      }
      return known;
    }
  }

  private async read(keyHash: string): Promise<FoundKey> {
    const [row]: CallerRow[] = await this.dataSource.query(
      `SELECT k.id AS key_id, k.user_id, k.person_id, k.models, k.addresses,
         coalesce(u.disabled_at, person.disabled_at) IS NOT NULL AS owner_disabled,
         p.archived_at IS NOT NULL AS project_archived,
         CASE WHEN k.key_hash = $1 THEN k.expires_at ELSE least(k.expires_at, k.previous_expires_at) END AS expires_at,
         CASE WHEN k.key_hash = $1 THEN k.display ELSE k.previous_display END AS display,
         CASE WHEN k.disabled_at IS NULL THEN NULL WHEN k.disabled_by = k.user_id THEN 'owner'
           ELSE 'administrator' END AS disabled_by,
         k.revoked_at IS NOT NULL AS is_revoked, k.logs_content OR coalesce(p.logs_content, false) AS logs_content,
         p.guards || k.guards AS guards,
         coalesce(k.cache_seconds, p.cache_seconds) AS cache_seconds
       FROM api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN projects p ON p.id = u.project_id
         LEFT JOIN users person ON person.id = k.person_id
       WHERE k.key_hash = $1 OR k.previous_key_hash = $1`,
      [Buffer.from(keyHash, 'base64url')],
    );
    if (!row) return { known: null, owner: null };
    const owner = { keyId: row.key_id, keyDisplay: row.display, userId: row.user_id };
    return row.is_revoked ? { known: null, owner } : { known: await this.toKnown(row, owner), owner };
  }

  private async toKnown(row: CallerRow, owner: KeyOwner): Promise<KnownCaller> {
    const { project, plan, guards, limits, changesAt } = await this.plans.current(row.user_id, row.key_id);
    return {
      caller: {
        ...owner,
        project,
        plan,
        logsContent: row.logs_content,
        guards: guards.length + row.guards.length === 0 ? NO_GUARDS : [...new Set([...guards, ...row.guards])],
        cacheSeconds: row.cache_seconds,
        models: row.models && new Set(row.models),
        limits,
      },
      disabledBy: row.disabled_by,
      ownerDisabled: row.owner_disabled,
      projectArchived: row.project_archived,
      addresses: row.addresses && new AddressList(row.addresses),
      keyExpiresAt: row.expires_at?.getTime() ?? null,
      planChangesAt: changesAt,
      personId: row.person_id,
    };
  }

  /** `key:<id>`, `user:<id>`, `project:<id>` or `plan:<id>`. */
  private forget(what: string): void {
    this.changes++;
    this.unknown.forget();
    this.cache.forget(what);
  }

  private forgetAll(): void {
    this.changes++;
    this.unknown.forget();
    this.cache.clear();
  }

  private usable(known: KnownCaller | null): KnownCaller | null {
    return known && known.keyExpiresAt !== null && this.clock.now() >= known.keyExpiresAt ? null : known;
  }
}

/** Rejects with the error of a network timeout. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' });
    timer = setTimeout(() => reject(error), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
