import { addMerged, isBefore } from './detection/detector.js';
import type { Finding, TextFindings } from './guard.js';
import { pathOf, type RequestText } from './request-texts.js';
import type { Turns, Work } from './turns.js';

/** A change of a joined text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Texts of a request that are read as one; positions are those in the joined text. */
export class RequestDocument {
  private joinedText: string | null = null;
  /** Where each piece begins. */
  private begins: number[] | null = null;

  constructor(readonly pieces: readonly RequestText[]) {}

  get text(): string {
    this.joinedText ??= this.pieces.map(({ text }) => text).join(this.seam);
    return this.joinedText;
  }

  /** The joined text, then each of several pieces: what stands before a piece must not hide a match in it. */
  get texts(): readonly string[] {
    return this.isOneText ? [this.text] : [this.text, ...this.pieces.map(({ text }) => text)];
  }

  /** Those of `texts`. */
  get paths(): readonly string[] {
    const first = pathOf((this.pieces[0] as RequestText).place);
    return this.isOneText ? [first] : [first, ...this.pieces.map(({ place }) => pathOf(place))];
  }

  /** The findings in `texts`, as findings in the joined text. */
  *joined([whole = [], ...each]: readonly TextFindings[], turns: Turns): Work<TextFindings> {
    if (each.length === 0) return whole;
    const all: Finding[] = [];
    let next = 0;
    let from = 0;
    for (const [index, findings] of each.entries()) {
      for (const finding of findings) {
        const moved = { ...finding, start: finding.start + from, end: finding.end + from };
        for (let one = whole[next]; one && isBefore(one, moved); one = whole[++next]) addMerged(all, one);
        addMerged(all, moved);
        const isOver = turns.after(0);
        if (isOver) yield isOver;
      }
      from += (this.pieces[index] as RequestText).text.length;
    }
    for (const one of whole.slice(next)) addMerged(all, one);
    return all;
  }

  /** The first of the pieces that a match is in, and whether all of them can be masked. */
  piecesOf({ start, end }: Pick<Finding, 'start' | 'end'>): { first: RequestText; isMaskable: boolean } {
    const first = this.pieceAt(start);
    const last = this.pieceAt(Math.max(start, end - 1));
    const isMaskable = this.pieces.slice(first, last + 1).every((piece) => piece.isMaskable);
    return { first: this.pieces[first] as RequestText, isMaskable };
  }

  /**
   * Changes the pieces, and returns those that changed. The first piece of a match gets the new text; the others lose
   * their part of it. `edits`: in ascending order, without overlaps.
   */
  *withEdits(edits: readonly TextEdit[], turns: Turns): Work<readonly RequestText[]> {
    const changed: RequestText[] = [];
    let from = 0;
    let next = 0;
    for (const piece of edits.length > 0 ? this.pieces : []) {
      const { text } = piece;
      const end = from + text.length;
      let result = '';
      let parts: string[] = [];
      let at = from;
      for (; next < edits.length; next++) {
        const edit = edits[next] as TextEdit;
        if (edit.start >= end) break;
        parts.push(text.slice(at - from, Math.max(edit.start, from) - from));
        if (edit.start >= from) parts.push(edit.text);
        at = Math.min(edit.end, end);
        if (edit.end > end) break;
        const isOver = turns.after(0);
        if (!isOver) continue;
        result += parts.join('');
        parts = [];
        yield isOver;
      }
      if (at > from || result !== '' || parts.length > 0) {
        piece.text = result + parts.join('') + text.slice(at - from);
        changed.push(piece);
      }
      from = end;
      const isOver = turns.after(text.length);
      if (isOver) yield isOver;
    }
    if (changed.length > 0) {
      this.joinedText = null;
      this.begins = null;
    }
    return changed;
  }

  private get areNames(): boolean {
    return !(this.pieces[0] as RequestText).isMaskable;
  }

  private get isOneText(): boolean {
    return this.pieces.length === 1 || this.areNames;
  }

  /** Names are not read as one, so nothing matches across two of them. */
  private get seam(): string {
    return this.areNames ? '\n' : '';
  }

  private pieceAt(position: number): number {
    this.begins ??= this.beginnings();
    let [low, high] = [0, this.begins.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.begins[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private beginnings(): number[] {
    let from = 0;
    return this.pieces.map(({ text }) => {
      const begin = from;
      from += text.length + this.seam.length;
      return begin;
    });
  }
}
