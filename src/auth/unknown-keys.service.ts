import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { tooManyUnknownKeys } from '../common/gateway.error.js';
import { clientNetwork } from '../http/client-network.js';
import type { KeyOwner } from './caller.types.js';

const MAX_KEYS = 1000;
const MAX_NETWORKS = 10_000;
/** No notification is sent when a key with an unknown secret is created. */
const TTL_MS = 1000;
const WINDOW_MS = 60_000;
/** One client with one wrong key does not reach this: it causes one query per second. */
const MAX_FAILURES = 100;

interface Failures {
  count: number;
  /** `performance.now()` at the window's end. */
  readonly endsAt: number;
}

interface UnknownKey {
  /** `performance.now()` before the query. */
  readonly seenAt: number;
  /** Of a revoked key. */
  readonly owner: KeyOwner | null;
}

/**
 * Well-formed keys that do not exist or are revoked. Each needs a query. They are cached separately so that they do not
 * evict callers, and networks that send many of them are limited.
 */
@Injectable()
export class UnknownKeysService {
  private readonly keys = new LRUCache<string, UnknownKey>({ max: MAX_KEYS });
  private readonly failures = new LRUCache<string, Failures>({ max: MAX_NETWORKS });

  has(keyHash: string): boolean {
    const key = this.keys.get(keyHash);
    return key !== undefined && performance.now() - key.seenAt < TTL_MS;
  }

  ownerOf(keyHash: string): KeyOwner | null {
    return this.keys.get(keyHash)?.owner ?? null;
  }

  /** Throws a 429 after too many unknown keys from the address's network. */
  assertMayQuery(address: string | undefined): void {
    if (this.failures.size === 0) return;
    const failures = this.failuresOf(clientNetwork(address ?? null));
    if (failures && failures.count >= MAX_FAILURES) throw tooManyUnknownKeys(failures.endsAt - performance.now());
  }

  /** Records a key that the database does not have, or that is revoked. */
  note(keyHash: string, key: UnknownKey, address: string | undefined): void {
    this.keys.set(keyHash, key);
    const network = clientNetwork(address ?? null);
    const failures = this.failuresOf(network);
    if (failures) failures.count++;
    else this.failures.set(network, { count: 1, endsAt: performance.now() + WINDOW_MS });
  }

  /** Any change may have created one of these keys. */
  forget(): void {
    this.keys.clear();
  }

  private failuresOf(network: string): Failures | undefined {
    const failures = this.failures.get(network);
    return failures && failures.endsAt > performance.now() ? failures : undefined;
  }
}
