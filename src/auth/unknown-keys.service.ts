import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { tooManyUnknownKeys } from '../common/gateway.errors.js';
import { clientNetwork } from '../http/client-network.js';

const MAX_KEYS = 1000;
const MAX_NETWORKS = 10_000;
/** No notification tells that such a key has become one. */
const TTL_MS = 1000;
const WINDOW_MS = 60_000;
/** What one client with one wrong key cannot reach, however often it tries: that costs a query a second. */
const MAX_FAILURES = 100;

interface Failures {
  count: number;
  /** `performance.now()` at the window's end. */
  readonly endsAt: number;
}

/**
 * Well-formed keys that do not exist: each costs a query. They have a small cache of their own, so that they push no
 * caller out of the other, and a network from which many come waits before the database is asked again.
 */
@Injectable()
export class UnknownKeysService {
  private readonly keys = new LRUCache<string, number>({ max: MAX_KEYS });
  private readonly failures = new LRUCache<string, Failures>({ max: MAX_NETWORKS });

  /** Whether the key was unknown a moment ago. */
  has(keyHash: string): boolean {
    const seenAt = this.keys.get(keyHash);
    return seenAt !== undefined && performance.now() - seenAt < TTL_MS;
  }

  /** Throws a 429 when too many unknown keys came from the address's network. */
  assertMayAsk(address: string | undefined): void {
    if (this.failures.size === 0) return;
    const failures = this.failuresOf(clientNetwork(address ?? null));
    if (failures && failures.count >= MAX_FAILURES) throw tooManyUnknownKeys(failures.endsAt - performance.now());
  }

  /** The database does not know the key. `askedAt`: `performance.now()` when it was asked. */
  note(keyHash: string, askedAt: number, address: string | undefined): void {
    this.keys.set(keyHash, askedAt);
    const network = clientNetwork(address ?? null);
    const failures = this.failuresOf(network);
    if (failures) failures.count++;
    else this.failures.set(network, { count: 1, endsAt: performance.now() + WINDOW_MS });
  }

  /** Any change may have made a key of one of them. */
  forget(): void {
    this.keys.clear();
  }

  private failuresOf(network: string): Failures | undefined {
    const failures = this.failures.get(network);
    return failures && failures.endsAt > performance.now() ? failures : undefined;
  }
}
