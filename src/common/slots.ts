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
