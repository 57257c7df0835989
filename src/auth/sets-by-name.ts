const NONE: readonly string[] = [];

/** Sets of strings by name. A single string is stored without a set. */
export class SetsByName {
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
