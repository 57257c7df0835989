import { LRUCache } from 'lru-cache';
import type { KnownCaller } from './caller.types.js';

export interface CallerEntry {
  readonly known: KnownCaller;
  /** `performance.now()` when it was requested. */
  readonly loadedAt: number;
}

interface Stored {
  readonly entry: CallerEntry;
  /** Number of plan changes seen when the entry was stored. */
  readonly planChanges: number;
}

export class CallerCache {
  private entries: LRUCache<string, Stored>;
  /** Hashes by `key:<id>`, `user:<id>` and `project:<id>`. */
  private index = new SetsByName();
  private planChanges = 0;
  /** The number of the last change of each plan. Older entries are removed when they are next requested. */
  private readonly changeOfPlan = new Map<string, number>();

  constructor(private readonly max: number) {
    this.entries = this.newEntries();
  }

  get(keyHash: string): CallerEntry | undefined {
    const stored = this.entries.get(keyHash);
    if (!stored) return undefined;
    const change = this.changeOfPlan.get(stored.entry.known.caller.plan.id);
    if (change === undefined || change <= stored.planChanges) return stored.entry;
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

  private newEntries(): LRUCache<string, Stored> {
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
    const texts = this.sets.get(name);
    if (texts === undefined) return NONE;
    return typeof texts === 'string' ? [texts] : [...texts];
  }

  add(name: string, text: string): void {
    const texts = this.sets.get(name);
    if (texts === undefined) this.sets.set(name, text);
    else if (typeof texts !== 'string') texts.add(text);
    else if (texts !== text) this.sets.set(name, new Set([texts, text]));
  }

  remove(name: string, text: string): void {
    const texts = this.sets.get(name);
    if (texts === undefined) return;
    if (typeof texts === 'string') {
      if (texts === text) this.sets.delete(name);
    } else if (texts.delete(text) && texts.size === 0) this.sets.delete(name);
  }

  get size(): number {
    let size = 0;
    for (const texts of this.sets.values()) size += typeof texts === 'string' ? 1 : texts.size;
    return size;
  }
}
