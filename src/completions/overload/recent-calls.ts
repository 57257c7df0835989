/** Calls count for one to two of these periods. */
const PERIOD_MS = 500;
/** The keys share at least this many calls: while nearly all calls are refused, the average says little. */
const MIN_SHARED = 200;

/** Counts the recently admitted calls of each key, to find keys below their share. */
export class RecentCalls {
  private admitted = 0;
  private admittedBefore = 0;
  private byKey = new Map<string, number>();
  private byKeyBefore = new Map<string, number>();
  /** Keys that called in one of both periods. */
  private keys = 0;
  private since = 0;

  /** Records an admitted call. */
  take(keyId: string, at: number): void {
    this.turn(at);
    this.admitted++;
    this.add(keyId, 1);
  }

  /**
   * Whether other keys call, too, and had more calls admitted on average. Records that the key calls. Admitting all such
   * calls is safe: they end once all keys had equally many, so they at most double the admitted calls of a second.
   */
  isBelowShare(keyId: string, at: number): boolean {
    this.turn(at);
    this.add(keyId, 0);
    const own = (this.byKey.get(keyId) ?? 0) + (this.byKeyBefore.get(keyId) ?? 0);
    const shared = Math.max(MIN_SHARED, this.admitted + this.admittedBefore);
    return this.keys > 1 && (own + 1) * this.keys <= shared;
  }

  private add(keyId: string, calls: number): void {
    const known = this.byKey.get(keyId);
    if (known === undefined && !this.byKeyBefore.has(keyId)) this.keys++;
    this.byKey.set(keyId, (known ?? 0) + calls);
  }

  private turn(at: number): void {
    if (at - this.since < PERIOD_MS) return;
    this.byKeyBefore = this.byKey;
    this.admittedBefore = this.admitted;
    this.byKey = new Map();
    this.admitted = 0;
    this.keys = this.byKeyBefore.size;
    this.since = at;
  }
}
