/** A member of at most one `Slots`. Only the `Slots` writes `slot`. */
export interface Slotted {
  /** Negative while it is in no `Slots`. */
  slot: number;
}

/**
 * A set for objects that are added and removed with each call. A `Set` or `Map` would cost far more: its tables are
 * rebuilt as members are removed, and once a table is old, V8's minor collections keep it and all its former members
 * alive until the next full collection.
 */
export class Slots<Item extends Slotted> {
  private readonly items: (Item | undefined)[] = [];
  private readonly free: number[] = [];

  get size(): number {
    return this.items.length - this.free.length;
  }

  /** The item must not be in any `Slots`. */
  add(item: Item): void {
    const slot = this.free.pop() ?? this.items.length;
    this.items[slot] = item;
    item.slot = slot;
  }

  /** Does nothing if the item is not in this set. */
  remove(item: Item): void {
    const { slot } = item;
    if (this.items[slot] !== item) return;
    this.items[slot] = undefined;
    this.free.push(slot);
  }

  /** In no particular order; items removed during iteration are skipped. */
  *[Symbol.iterator](): Generator<Item, void> {
    for (const item of this.items) if (item !== undefined) yield item;
  }
}

export interface Ticking extends Slotted {
  /** `now`: `performance.now()`. */
  tick(now: number): void;
}

/**
 * One timer for many deadlines. Separate timers would cost several per call, most of which never fire; checking a
 * thousand deadlines takes a few microseconds.
 */
class Ticker {
  private readonly clocks = new Slots<Ticking>();
  private timer: NodeJS.Timeout | undefined;
  private tickedAt = 0;

  constructor(private readonly ms: number) {}

  add(clock: Ticking): void {
    this.clocks.add(clock);
    if (this.timer) return;
    this.tickedAt = performance.now();
    this.timer = setInterval(() => this.tick(), this.ms);
  }

  remove(clock: Ticking): void {
    this.clocks.remove(clock);
  }

  private tick(): void {
    const now = performance.now();
    const isLate = now - this.tickedAt > PAUSED_MS;
    this.tickedAt = now;
    // After a pause of the process, what has arrived meanwhile is read before deadlines are checked.
    if (isLate) setImmediate(() => this.check(performance.now()));
    else this.check(now);
  }

  private check(now: number): void {
    for (const clock of this.clocks) clock.tick(now);
    if (this.clocks.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

export const TICK_MS = 20;

/** A process that checked no deadlines for this long was paused, or one of its tasks took long. */
const PAUSED_MS = 200;

/** Deadlines are noticed at most one tick late. */
export const ticker = new Ticker(TICK_MS);
