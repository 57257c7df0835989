/** Calls count for so long, and up to twice. */
const PERIOD_MS = 500;
/** The last calls before a standstill are still known after it. */
const FORGOTTEN_MS = 10_000;
/** In a period so many calls may be let in for their key's share, or half as many as were let in in the one before. */
const LEAST_FOR_SHARE = 100;

/** How many calls of each key were let in lately, and so which keys have had less than their share. */
export class RecentCalls {
  private now = new Period();
  private before = new Period();
  private since = 0;

  /** A call of this key was let in. */
  take(keyId: string, at: number): void {
    this.turn(at);
    this.now.add(keyId, 1);
  }

  /**
   * Whether one more call of a key may be let in although there is too much to do: where other keys call, too, and this one
   * has had less than they have on average. The number of calls admitted this way is small, and equal for each key.
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

  /** At least two where several call: exact where it is cheap. */
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
