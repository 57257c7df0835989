const PLACEHOLDER = /\[([A-Z][A-Z0-9_]{0,63})_(\d{1,6})\]/g;

/** No placeholder is longer. */
export const LONGEST_PLACEHOLDER = 73;

/** The placeholders of one call: the same value always has the same one. */
export class Masks {
  private readonly placeholders = new Map<string, string>();
  /** By label and number: `EMAIL` → those of `[EMAIL_0]`, `[EMAIL_1]`. A list grows at once, unlike a map. */
  private readonly originals = new Map<string, (string | undefined)[]>();
  private readonly counts = new Map<string, number>();
  private readonly reserved = new Set<string>();

  /** Whether the answer may contain placeholders that become originals again. */
  get isRestoring(): boolean {
    return this.originals.size > 0;
  }

  /** Placeholders that the caller wrote stay what they are: no value of the call gets one of them. */
  reserveIn(text: string): void {
    if (!text.includes('[')) return;
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) this.reserved.add(placeholder);
  }

  /** `name`: as in `Finding`, for example `payment_card` → `[PAYMENT_CARD_1]`. */
  placeholderOf(name: string, value: string, isRestored: boolean): string {
    const id = `${name}\n${value}`;
    const known = this.placeholders.get(id);
    if (known !== undefined) return known;
    const label = name
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^(?![A-Z])/, 'X');
    let count = this.counts.get(label) ?? 0;
    let placeholder: string;
    do placeholder = `[${label}_${++count}]`;
    while (this.reserved.has(placeholder));
    this.counts.set(label, count);
    this.placeholders.set(id, placeholder);
    if (isRestored) {
      const originals = this.originals.get(label) ?? [];
      originals[count] = value;
      this.originals.set(label, originals);
    }
    return placeholder;
  }

  /** `text` with the originals of its placeholders. `isJson`: it is part of JSON text, so they are escaped. */
  restore(text: string, isJson: boolean): string {
    if (!this.isRestoring || !text.includes('[')) return text;
    return text.replace(PLACEHOLDER, (placeholder: string, label: string, number: string) => {
      const original = number.startsWith('0') ? undefined : this.originals.get(label)?.[Number(number)];
      if (original === undefined) return placeholder;
      return isJson ? JSON.stringify(original).slice(1, -1) : original;
    });
  }

  /** Where a placeholder may begin whose end has not come yet; the text's length if nowhere. */
  openFrom(text: string): number {
    if (!this.isRestoring) return text.length;
    const start = text.lastIndexOf('[');
    return start !== -1 && OPEN.test(text.slice(start)) ? start : text.length;
  }
}

const OPEN = /^\[[A-Z0-9_]{0,72}$/;
