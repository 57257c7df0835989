import { randomInt } from 'node:crypto';

/** So many names are not looked at: most bodies have fewer, and so few layouts are made in no time. */
const FREE_NAMES = 10_000;

/** Unknown to clients, who could else find names that look like one. */
const SEED = randomInt(2 ** 31);
const FACTOR = randomInt(2 ** 30) * 2 + 1;

const SLOT_BITS = 18;

/**
 * Counts the object layouts that a parser makes for JSON text. V8 makes a hidden class for each name that follows others
 * in an order that it has not met: a microsecond each, a hundred times what a name costs that it has met there.
 */
export class ObjectLayouts {
  private names = 0;
  private known: Uint8Array | null = null;
  /** By depth: the names of the open object so far. */
  private readonly open: number[] = [];

  /** So far; at least `FREE_NAMES` once there are so many names. */
  count = 0;

  /** An object or a list begins. */
  enter(depth: number): void {
    if (this.known) this.open[depth] = SEED;
  }

  /** Whether names are told apart by now. */
  get isCounting(): boolean {
    return this.known !== null;
  }

  /** A name with this hash stands in the object at this depth. */
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

/** Of the bytes from `from` to `to`, going on from the hash of those before them. */
export function hashOfBytes(bytes: Uint8Array, from: number, to: number, before: number): number {
  let hash = before;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), FACTOR);
  return hash;
}

function mixed(one: number, other: number): number {
  const product = Math.imul(one ^ (one >>> 16) ^ other, FACTOR);
  return Math.imul(product ^ (product >>> 13), FACTOR);
}
