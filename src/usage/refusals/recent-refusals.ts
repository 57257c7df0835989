import type { Refusal } from './refusal.types.js';

export interface RecentRefusal {
  refusal: Refusal;
  at: number;
}

/** Per key, so that one key's errors do not displace another's. */
export const KEPT_OF_KEY = 100;
/** Per display form of an unknown key, so that one of them does not displace the others. */
export const KEPT_OF_UNKNOWN = 10;
/** Of all unknown keys together. */
export const KEPT_UNKNOWN = 300;
/** Between two writes; more different unknown keys are only counted. */
const MOST_UNKNOWN = 30;

/** The last refusals of each key, and a few of each key that is unknown. */
export class RecentRefusals {
  private readonly ofKeys = new Map<string, RecentRefusal[]>();
  private readonly ofUnknown = new Map<string, RecentRefusal[]>();

  add(refusal: RecentRefusal): void {
    const { keyId, keyDisplay } = refusal.refusal;
    if (keyId !== null) push(this.ofKeys, keyId, refusal, KEPT_OF_KEY);
    else if (this.ofUnknown.size < MOST_UNKNOWN || this.ofUnknown.has(keyDisplay ?? ''))
      push(this.ofUnknown, keyDisplay ?? '', refusal, KEPT_OF_UNKNOWN);
  }

  all(): RecentRefusal[] {
    return [...this.ofKeys.values(), ...this.ofUnknown.values()].flat();
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
  if (list.length > kept) list.shift();
}
