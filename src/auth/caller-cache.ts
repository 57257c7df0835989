import { LRUCache } from 'lru-cache';
import type { KnownCaller } from './caller.types.js';

export interface CallerEntry {
  readonly known: KnownCaller;
  /** `performance.now()` when it was requested. */
  readonly loadedAt: number;
}

interface Kept {
  readonly entry: CallerEntry;
  /** Number of plan changes seen when the entry was stored. */
  readonly planChanges: number;
}

export class CallerCache {
  private entries: LRUCache<string, Kept>;
  /** Hashes by `key:<id>`, `user:<id>` and `project:<id>`. */
  private index = new SetsByName();
  private planChanges = 0;
  /** The number of the last change of each plan. Older entries are removed when they are next requested. */
  private readonly changeOfPlan = new Map<string, number>();

  constructor(private readonly max: number) {
    this.entries = this.newEntries();
  }

  get(keyHash: string): CallerEntry | undefined {
    const kept = this.entries.get(keyHash);
    if (!kept) return undefined;
    const change = this.changeOfPlan.get(kept.entry.known.caller.plan.id);
    if (change === undefined || change <= kept.planChanges) return kept.entry;
    this.entries.delete(keyHash);
    return undefined;
  }

  set(keyHash: string, entry: CallerEntry): void {
    this.entries.set(keyHash, { entry, planChanges: this.planChanges });
    for (const name of namesOf(entry)) this.index.add(name, keyHash);
  }

  delete(keyHash: string): void {
    this.entries.delete(keyHash);
  }

  /** `key:<id>`, `user:<id>`, `project:<id>` or `plan:<id>`. */
  forget(what: string): void {
    if (what.startsWith('plan:')) this.changeOfPlan.set(what.slice('plan:'.length), ++this.planChanges);
    else for (const keyHash of this.index.of(what)) this.entries.delete(keyHash);
  }

  clear(): void {
    this.entries = this.newEntries();
    this.index = new SetsByName();
  }

  /** For tests: the sizes of the cache and its index. */
  get sizes(): { entries: number; indexed: number } {
    return { entries: this.entries.size, indexed: this.index.size };
  }

  private newEntries(): LRUCache<string, Kept> {
    return new LRUCache({ max: this.max, dispose: ({ entry }, keyHash) => this.unlist(keyHash, entry) });
  }

  private unlist(keyHash: string, entry: CallerEntry): void {
    for (const name of namesOf(entry)) this.index.remove(name, keyHash);
  }
}

function namesOf({ known: { caller, personId } }: CallerEntry): string[] {
  const { keyId, userId, project } = caller;
  const own = [`key:${keyId}`, `user:${userId}`, ...(personId === null ? [] : [`user:${personId}`])];
  return project === null ? own : [...own, `project:${project.id}`, `user:${project.userId}`];
}

const NONE: readonly string[] = [];

/** Sets of strings by name. A single string is stored without a set. */
class SetsByName {
  private readonly sets = new Map<string, string | Set<string>>();

  of(name: string): readonly string[] {
    const held = this.sets.get(name);
    if (held === undefined) return NONE;
    return typeof held === 'string' ? [held] : [...held];
  }

  add(name: string, text: string): void {
    const held = this.sets.get(name);
    if (held === undefined) this.sets.set(name, text);
    else if (typeof held !== 'string') held.add(text);
    else if (held !== text) this.sets.set(name, new Set([held, text]));
  }

  remove(name: string, text: string): void {
    const held = this.sets.get(name);
    if (held === undefined) return;
    if (typeof held === 'string') {
      if (held === text) this.sets.delete(name);
    } else if (held.delete(text) && held.size === 0) this.sets.delete(name);
  }

  get size(): number {
    let size = 0;
    for (const held of this.sets.values()) size += typeof held === 'string' ? 1 : held.size;
    return size;
  }
}
