import { randomInt } from 'node:crypto';

/** Counting starts after this many names, as most bodies have fewer, whose layouts are cheap. */
const FREE_NAMES = 10_000;

/** Random, so that clients cannot construct collisions. */
const SEED = randomInt(2 ** 31);
const FACTOR = randomInt(2 ** 30) * 2 + 1;

const SLOT_BITS = 18;

/**
 * Counts the object layouts that a parser creates for JSON text. V8 creates a hidden class for each name in a new
 * order, which takes a microsecond: a hundred times the cost of a known order.
 */
export class ObjectLayouts {
  private names = 0;
  private known: Uint8Array | null = null;
  /** By depth: a hash of the names in the open object. */
  private readonly open: number[] = [];

  /** At least `FREE_NAMES` once counting starts. */
  count = 0;

  enter(depth: number): void {
    if (this.known) this.open[depth] = SEED;
  }

  get isCounting(): boolean {
    return this.known !== null;
  }

  add(depth: number, hash: number): void {
    if (this.known === null) {
      if (++this.names < FREE_NAMES) return;
      this.count = FREE_NAMES;
      this.known = new Uint8Array(2 ** (SLOT_BITS - 3));
      return;
    }
    const state = mixed(this.open[depth] ?? SEED, hash ^ (hash >>> 15));
    this.open[depth] = state;
    const slot = mixed(state, SEED) >>> (32 - SLOT_BITS);
    const bit = 1 << (slot & 7);
    const seen = this.known[slot >>> 3] as number;
    if ((seen & bit) !== 0) return;
    this.known[slot >>> 3] = seen | bit;
    this.count++;
  }
}

export const HASH_OF_NOTHING = SEED;

export function hashOfBytes(bytes: Uint8Array, from: number, to: number, before: number): number {
  let hash = before;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), FACTOR);
  return hash;
}

function mixed(one: number, other: number): number {
  const product = Math.imul(one ^ (one >>> 16) ^ other, FACTOR);
  return Math.imul(product ^ (product >>> 13), FACTOR);
}
