import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { PlansService } from '../billing/plans.service.js';
import { AddressList } from '../common/address-list.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ALL_CALLERS, CALLER_CHANGED } from '../database/caller-changes.js';
import { SessionService } from '../database/session.service.js';
import type { KnownCaller } from './caller.types.js';

/** What no notification would correct is not believed for longer than this: all while there are none, unknown keys ever. */
const UNNOTIFIED_TTL_MS = 1000;

interface Entry {
  /** Null: there is no such key, or it is revoked or disabled. */
  readonly known: KnownCaller | null;
  readonly loadedAt: number;
}

interface CallerRow {
  key_id: string;
  user_id: string;
  models: string[] | null;
  addresses: string[] | null;
  /** Of the secret that was asked for: the one before a rotation ends with its overlap. */
  expires_at: Date | null;
  owner_disabled: boolean;
}

/** Finds the caller behind a key's hash: from memory when warm, and never from memory that a change has overtaken. */
@Injectable()
export class CallersService {
  private readonly cache: LRUCache<string, Entry>;
  private readonly loading = new Map<string, Promise<Entry>>();
  private readonly ttl: number;
  /** Counts the changes heard of: what was read before one may already be wrong. */
  private changes = 0;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly plans: PlansService,
    private readonly session: SessionService,
    @InjectSettings() { auth }: Settings,
  ) {
    this.cache = new LRUCache({ max: auth.cacheSize });
    this.ttl = auth.cacheTtl;
    session.listen(CALLER_CHANGED, (payload) => (payload === ALL_CALLERS ? this.forgetAll() : this.forget(payload)));
    session.restored.subscribe(() => this.forgetAll());
  }

  /** The caller of a usable key, or null. Only the first call for a key waits for the database. */
  find(keyHash: string): KnownCaller | null | Promise<KnownCaller | null> {
    const entry = this.cache.get(keyHash);
    if (entry && this.isFresh(entry)) return usable(entry.known);
    return this.load(keyHash).then(({ known }) => usable(known));
  }

  private isFresh({ known, loadedAt }: Entry): boolean {
    const isNotified = this.session.isUp && known !== null;
    const age = performance.now() - loadedAt;
    if (age >= (isNotified ? this.ttl : Math.min(this.ttl, UNNOTIFIED_TTL_MS))) return false;
    return known === null || known.planChangesAt === null || Date.now() < known.planChangesAt;
  }

  /** Requests that ask for the same key at once share one query. */
  private load(keyHash: string): Promise<Entry> {
    let loading = this.loading.get(keyHash);
    if (!loading) {
      loading = this.query(keyHash).finally(() => this.loading.delete(keyHash));
      this.loading.set(keyHash, loading);
    }
    return loading;
  }

  private async query(keyHash: string): Promise<Entry> {
    for (;;) {
      const { changes } = this;
      const loadedAt = performance.now();
      const entry = { known: await this.read(keyHash), loadedAt };
      if (changes !== this.changes) continue;
      this.cache.set(keyHash, entry);
      return entry;
    }
  }

  private async read(keyHash: string): Promise<KnownCaller | null> {
    const [row]: CallerRow[] = await this.dataSource.query(
      `SELECT k.id AS key_id, k.user_id, k.models, k.addresses, u.disabled_at IS NOT NULL AS owner_disabled,
         CASE WHEN k.key_hash = $1 THEN k.expires_at ELSE least(k.expires_at, k.previous_expires_at) END AS expires_at
       FROM api_keys k JOIN users u ON u.id = k.user_id
       WHERE (k.key_hash = $1 OR k.previous_key_hash = $1) AND k.revoked_at IS NULL AND k.disabled_at IS NULL`,
      [Buffer.from(keyHash, 'base64url')],
    );
    if (!row) return null;
    const { plan, changesAt } = await this.plans.current(row.user_id);
    return {
      caller: { keyId: row.key_id, userId: row.user_id, plan, models: row.models && new Set(row.models) },
      ownerDisabled: row.owner_disabled,
      addresses: row.addresses && new AddressList(row.addresses),
      keyExpiresAt: row.expires_at?.getTime() ?? null,
      planChangesAt: changesAt,
    };
  }

  /** `key:<id>` or `user:<id>`; entries of unknown keys cannot be told by these, and are short-lived instead. */
  private forget(what: string): void {
    this.changes++;
    for (const [keyHash, { known }] of this.cache.entries()) {
      if (known && (what === `key:${known.caller.keyId}` || what === `user:${known.caller.userId}`)) {
        this.cache.delete(keyHash);
      }
    }
  }

  private forgetAll(): void {
    this.changes++;
    this.cache.clear();
  }
}

function usable(known: KnownCaller | null): KnownCaller | null {
  return known && known.keyExpiresAt !== null && Date.now() >= known.keyExpiresAt ? null : known;
}
