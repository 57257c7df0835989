/** Calls count for one to two of these periods. */
const PERIOD_MS = 500;
/** Calls before a pause of up to this length still count after it. */
const FORGOTTEN_MS = 10_000;
/** In each period, this many calls are admitted for their key's share, or half of those admitted in the one before. */
const LEAST_FOR_SHARE = 100;

/** Counts the recently admitted calls of each key, to find keys below their share. */
export class RecentCalls {
  private now = new Period();
  private before = new Period();
  private since = 0;

  /** Records an admitted call. */
  take(keyId: string, at: number): void {
    this.turn(at);
    this.now.add(keyId, 1);
  }

  /**
   * Admits a call during overload if other keys call too, and this key had fewer calls admitted than the average. The
   * number of calls admitted this way is small, and equal for each key.
   */
  takeForShare(keyId: string, at: number): boolean {
    this.turn(at);
    const { now, before } = this;
    now.add(keyId, 0);
    const keys = now.keysWith(before);
    const share = Math.max(now.calls + before.calls, 2 * LEAST_FOR_SHARE) / keys;
    const most = Math.max(LEAST_FOR_SHARE, before.calls / 2);
    const own = now.of(keyId) + before.of(keyId);
    if (keys < 2 || own + 1 > share || now.ofShare(keyId) + 1 > most / keys) return false;
    now.addForShare(keyId);
    return true;
  }

  private turn(at: number): void {
    if (at - this.since < PERIOD_MS) return;
    this.before = at - this.since < FORGOTTEN_MS ? this.now : new Period();
    this.now = new Period();
    this.since = at;
  }
}

class Period {
  calls = 0;
  private readonly byKey = new Map<string, number>();
  private readonly forShares = new Map<string, number>();

  /** How many keys called in both periods; at least 2 if there are several, exact where that is cheap. */
  keysWith(other: Period): number {
    if (this.byKey.size > 1) return Math.max(this.byKey.size, other.byKey.size);
    const [key] = this.byKey.keys();
    return other.byKey.size + (key !== undefined && !other.byKey.has(key) ? 1 : 0);
  }

  of(keyId: string): number {
    return this.byKey.get(keyId) ?? 0;
  }

  ofShare(keyId: string): number {
    return this.forShares.get(keyId) ?? 0;
  }

  addForShare(keyId: string): void {
    this.forShares.set(keyId, this.ofShare(keyId) + 1);
  }

  add(keyId: string, calls: number): void {
    this.calls += calls;
    this.byKey.set(keyId, this.of(keyId) + calls);
  }
}
