/** A key whose call was refused within this time counts as waiting. */
const WAITING_MS = 1000;

/** Places for concurrent calls: `most` in this process, and at most half of them for one key while another key waits. */
export class CallPlaces {
  private taken = 0;
  private readonly takenByKey = new Map<string, number>();
  /** The two keys whose calls were refused last. */
  private lastShed: Shed | null = null;
  private otherShed: Shed | null = null;

  constructor(private readonly most: () => number | null) {}

  get underWay(): number {
    return this.taken;
  }

  hasRoom(keyId: string): boolean {
    const most = this.most();
    if (most === null) return true;
    if (this.taken >= most) return false;
    const own = this.takenByKey.get(keyId) ?? 0;
    return own === 0 || own + 1 <= most / 2 || !this.isAnotherWaiting(keyId);
  }

  take(keyId: string): void {
    this.taken++;
    this.takenByKey.set(keyId, (this.takenByKey.get(keyId) ?? 0) + 1);
    this.renew(keyId);
  }

  release(keyId: string): void {
    this.taken--;
    const left = (this.takenByKey.get(keyId) ?? 0) - 1;
    if (left > 0) this.takenByKey.set(keyId, left);
    else this.takenByKey.delete(keyId);
  }

  /** Records that a call of this key was refused. */
  shed(keyId: string, now: number): void {
    if (this.lastShed?.keyId !== keyId) this.otherShed = this.lastShed;
    this.lastShed = { keyId, at: now };
  }

  /** Keeps the place of a refused key that has called again: otherwise others would take it. */
  private renew(keyId: string): void {
    const shed = this.lastShed?.keyId === keyId ? this.lastShed : this.otherShed;
    if (shed?.keyId !== keyId) return;
    const now = performance.now();
    if (now - shed.at <= WAITING_MS) shed.at = now;
  }

  private isAnotherWaiting(keyId: string): boolean {
    const other = this.lastShed?.keyId === keyId ? this.otherShed : this.lastShed;
    return other !== null && performance.now() - other.at <= WAITING_MS;
  }
}

interface Shed {
  readonly keyId: string;
  /** When it was refused, or admitted within a second after that. */
  at: number;
}
