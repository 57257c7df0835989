const NONE: readonly string[] = [];

/** Texts by name. Most names have one: that costs no set. */
export class SetsByName {
  private readonly sets = new Map<string, string | Set<string>>();

  /** Those of a name; a copy, so that they can be removed meanwhile. */
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

  /** How many pairs of name and text there are. */
  get size(): number {
    let size = 0;
    for (const held of this.sets.values()) size += typeof held === 'string' ? 1 : held.size;
    return size;
  }
}
