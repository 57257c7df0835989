import type { Refusal } from './refusal.types.js';

export interface RecentRefusal {
  refusal: Refusal;
  at: number;
}

/** Kept for each key, so that the errors of one key do not displace those of another. */
export const KEPT_OF_KEY = 100;
/** Kept for each display form of an unknown key. */
export const KEPT_OF_UNKNOWN = 10;
/** Kept for all unknown keys together. */
export const KEPT_UNKNOWN = 300;
/** The number of different unknown keys between two writes; refusals of any others are only counted. */
const MAX_UNKNOWN = 30;

/** The last refusals of each known key, and a few of each unknown key. */
export class RecentRefusals {
  private readonly ofKeys = new Map<string, RecentRefusal[]>();
  private readonly ofUnknown = new Map<string, RecentRefusal[]>();

  add(refusal: RecentRefusal): void {
    const { keyId, keyDisplay } = refusal.refusal;
    if (keyId !== null) push(this.ofKeys, keyId, refusal, KEPT_OF_KEY);
    else if (this.ofUnknown.size < MAX_UNKNOWN || this.ofUnknown.has(keyDisplay ?? ''))
      push(this.ofUnknown, keyDisplay ?? '', refusal, KEPT_OF_UNKNOWN);
  }

  all(): RecentRefusal[] {
    return [...lastOf(this.ofKeys, KEPT_OF_KEY), ...lastOf(this.ofUnknown, KEPT_OF_UNKNOWN)].flat();
  }

  keys(): string[] {
    return [...this.ofKeys.keys()];
  }

  get hasUnknown(): boolean {
    return this.ofUnknown.size > 0;
  }
}

function push(lists: Map<string, RecentRefusal[]>, name: string, refusal: RecentRefusal, kept: number): void {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  list.push(refusal);
  // Not one by one: an overload can refuse 10,000 calls a second.
  if (list.length >= 2 * kept) list.splice(0, kept);
}

function lastOf(lists: ReadonlyMap<string, RecentRefusal[]>, kept: number): RecentRefusal[][] {
  return [...lists.values()].map((list) => list.slice(-kept));
}
