/** Longer base64 strings count as media: images, sound, files. */
const MAX_BASE64_LENGTH = 1000;
const BASE64 = /^(data:[^,]{0,200},)?[\w+/=-]+$/;
/** The size of a value in addition to its text. */
const VALUE = 8;

export interface BoundedCopy {
  readonly copy: unknown;
  /** Whether something is missing. */
  readonly isCut: boolean;
}

/** A copy of a JSON value with about `most` characters at most. Media become their size; the end may be cut. */
export function boundedCopy(value: unknown, most: number): BoundedCopy {
  const copier = new Copier(most);
  return { copy: copier.copy(value), isCut: copier.isCut };
}

class Copier {
  isCut = false;

  constructor(private left: number) {}

  copy(value: unknown): unknown {
    this.left -= VALUE;
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
    return Array.isArray(value) ? this.list(value) : this.object(value);
  }

  private text(text: string): string {
    const media = mediaNote(text);
    if (media !== null) return media;
    const kept = text.length <= this.left ? text : text.slice(0, Math.max(0, this.left)).toWellFormed();
    this.left -= kept.length;
    if (kept.length === text.length) return text;
    this.isCut = true;
    return `${kept}… [${text.length - kept.length} more characters]`;
  }

  private list(list: readonly unknown[]): unknown[] {
    const kept: unknown[] = [];
    for (const item of list) {
      if (this.isFull()) break;
      kept.push(this.copy(item));
    }
    return kept;
  }

  private object(object: object): Record<string, unknown> {
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(object)) {
      if (this.isFull()) break;
      this.left -= name.length;
      kept.push([name, this.copy(value)]);
    }
    return Object.fromEntries(kept);
  }

  private isFull(): boolean {
    if (this.left > 0) return false;
    this.isCut = true;
    return true;
  }
}

/** "data:image/png;base64,[123456 characters]"; null for text. */
function mediaNote(text: string): string | null {
  if (text.length <= MAX_BASE64_LENGTH) return null;
  const found = BASE64.exec(text.slice(0, MAX_BASE64_LENGTH));
  return found && `${found[1] ?? ''}[${text.length - (found[1]?.length ?? 0)} characters]`;
}
