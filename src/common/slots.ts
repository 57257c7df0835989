/** What can be in one `Slots` at a time; only that writes its `slot`. */
export interface Slotted {
  /** Where it stands; negative at first. */
  slot: number;
}

/**
 * A set of what comes and goes with each call. A `Set` or `Map` would cost far more: its tables are made anew as members
 * leave, each dead one points to the next, and once one of them is old, V8's young collections keep them all, with
 * everything that ever was in them, until the next full one.
 */
export class Slots<Item extends Slotted> {
  private readonly items: (Item | undefined)[] = [];
  private readonly free: number[] = [];

  get size(): number {
    return this.items.length - this.free.length;
  }

  /** Of an item that is in none. */
  add(item: Item): void {
    const slot = this.free.pop() ?? this.items.length;
    this.items[slot] = item;
    item.slot = slot;
  }

  /** Nothing happens if it is not in here. */
  remove(item: Item): void {
    const { slot } = item;
    if (this.items[slot] !== item) return;
    this.items[slot] = undefined;
    this.free.push(slot);
  }

  /** In no order; whoever leaves meanwhile is not met any more. */
  *[Symbol.iterator](): Generator<Item, void> {
    for (const item of this.items) if (item !== undefined) yield item;
  }
}
