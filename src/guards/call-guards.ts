import { type GatewayError, gatewayError } from '../common/gateway.error.js';
import { withoutOverlaps } from './detection/detector.js';
import type { Finding, Guard, GuardAction, GuardedCall, GuardSide, TextFindings } from './guard.js';
import { Masks } from './masks.js';
import { knownPathOf, pathOf, type RequestText, textsOf, withTexts } from './request-texts.js';

/** What a guard found and did in a call, for headers, metrics and the row. */
export interface GuardHit {
  readonly guard: string;
  /** As in `Finding`. */
  readonly name: string;
  readonly action: GuardAction | 'pass';
  readonly side: GuardSide;
  count: number;
}

/** The guards of one call, in the order in which they look: each sees the text that the ones before it left. */
export class CallGuards {
  readonly masks = new Masks();
  readonly hits: GuardHit[] = [];

  constructor(
    readonly guards: readonly Guard[],
    private readonly call: Omit<GuardedCall, 'side' | 'paths'>,
  ) {}

  /**
   * The body as it may be sent; the same object if nothing is masked. Rejects with a `GatewayError` 400
   * `content_blocked`, or 503 `guard_unavailable` if a guard cannot tell.
   */
  async checkRequest(body: unknown): Promise<unknown> {
    const guards = this.guards.filter(({ sides }) => sides.has('request'));
    if (guards.length === 0) return body;
    const { groups, names, media } = textsOf(body);
    const documents = [...groups, ...(names.length > 0 ? [names] : [])].map((pieces) => new RequestDocument(pieces));
    for (const { pieces } of documents) for (const { text } of pieces) this.masks.reserveIn(text);
    for (const guard of guards) {
      if (guard.refusesMedia && media !== null)
        throw this.blocked(guard, 'an image, sound or file', knownPathOf(media), 'media');
      const findings = await this.findingsOf(guard, documents);
      for (const [index, document] of documents.entries()) this.apply(guard, document, findings[index] ?? []);
    }
    return withTexts(
      body,
      documents.flatMap(({ changed }) => changed),
    );
  }

  /** What the guard finds in texts of one side; rejects with a 503 if it throws. */
  async check(
    guard: Guard,
    side: GuardSide,
    texts: readonly string[],
    paths: readonly string[],
  ): Promise<readonly TextFindings[]> {
    try {
      const findings = await guard.check(texts, { ...this.call, side, paths });
      if (findings.length !== texts.length) throw new Error('It returned findings for another number of texts.');
      return findings;
    } catch (error) {
      this.count(guard, 'unavailable', 'block', side);
      throw guardUnavailable(guard, error);
    }
  }

  /** Counts findings that have the same effect together. */
  count({ name: guard }: Guard, name: string, action: GuardHit['action'], side: GuardSide): void {
    const same = this.hits.find(
      (hit) => hit.guard === guard && hit.name === name && hit.action === action && hit.side === side,
    );
    if (same) same.count++;
    else this.hits.push({ guard, name, action, side, count: 1 });
  }

  /** `personal=mask:2,secrets=report:1`, for `x-gateway-guards`; null: nothing was found. */
  header(ofRequestOnly: boolean): string | null {
    const counts = new Map<string, number>();
    for (const { guard, action, side, count } of this.hits) {
      if (ofRequestOnly && side === 'answer') continue;
      const key = `${guard}=${action}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
    return counts.size === 0 ? null : [...counts].map(([key, count]) => `${key}:${count}`).join(',');
  }

  private async findingsOf(guard: Guard, documents: readonly RequestDocument[]): Promise<readonly TextFindings[]> {
    const texts = documents.flatMap((document) => document.texts);
    const paths = documents.flatMap((document) => document.paths);
    const found = await this.check(guard, 'request', texts, paths);
    let next = 0;
    return documents.map((document) => {
      const own = found.slice(next, next + document.texts.length);
      next += document.texts.length;
      return document.joined(own);
    });
  }

  private apply(guard: Guard, document: RequestDocument, findings: TextFindings): void {
    const edits: Edit[] = [];
    for (const finding of findings) {
      const action = finding.action ?? guard.action;
      if (action === 'report') {
        this.count(guard, finding.name, 'report', 'request');
        continue;
      }
      const at = document.pieceAt(finding.start);
      const isMaskable = document.pieces
        .slice(at, document.pieceAt(finding.end - 1) + 1)
        .every((piece) => piece.isMaskable);
      const path = knownPathOf((document.pieces[at] as RequestText).place);
      if (action === 'block' || !isMaskable) throw this.blocked(guard, finding.kind, path, finding.name);
      this.count(guard, finding.name, 'mask', 'request');
      const value = document.text.slice(finding.start, finding.end);
      const text = finding.replacement ?? this.masks.placeholderOf(finding.name, value, guard.restores);
      edits.push({ start: finding.start, end: finding.end, text });
    }
    if (edits.length > 0) document.edit(edits);
  }

  private blocked(guard: Guard, kind: string, path: string | null, name: string): GatewayError {
    this.count(guard, name, 'block', 'request');
    const message = `The request was blocked by the guard ${guard.name}: it contains ${kind}. Remove it and try again.`;
    return gatewayError(400, 'content_blocked', message, { param: path });
  }
}

/** Only operators see `error`. */
export function guardUnavailable(guard: Guard, error: unknown): GatewayError {
  const message = `The guard ${guard.name} cannot check this call now. Try again later.`;
  const unavailable = gatewayError(503, 'guard_unavailable', message, { headers: { 'x-should-retry': 'true' } });
  unavailable.cause = error;
  return unavailable;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Texts of a request that are read as one; positions are those in the joined text. */
class RequestDocument {
  readonly changed: RequestText[] = [];

  constructor(readonly pieces: readonly RequestText[]) {}

  private get areNames(): boolean {
    return !(this.pieces[0] as RequestText).isMaskable;
  }

  /** Names are not read as one, so nothing matches across two of them. */
  private get seam(): string {
    return this.areNames ? '\n' : '';
  }

  get text(): string {
    return this.pieces.length === 1
      ? (this.pieces[0] as RequestText).text
      : this.pieces.map(({ text }) => text).join(this.seam);
  }

  /** The joined text, then each of several pieces: what stands before a piece must not hide a match in it. */
  get texts(): readonly string[] {
    return this.pieces.length === 1 || this.areNames
      ? [this.text]
      : [this.text, ...this.pieces.map(({ text }) => text)];
  }

  get paths(): readonly string[] {
    const paths = this.pieces.map(({ place }) => pathOf(place));
    const [first = ''] = paths;
    return this.texts.length === 1 ? [first] : [first, ...paths];
  }

  joined([whole = [], ...each]: readonly TextFindings[]): TextFindings {
    if (each.length === 0) return whole;
    const all: Finding[] = [...whole];
    let from = 0;
    for (const [index, findings] of each.entries()) {
      for (const finding of findings) all.push({ ...finding, start: finding.start + from, end: finding.end + from });
      from += (this.pieces[index] as RequestText).text.length;
    }
    return withoutOverlaps(all);
  }

  pieceAt(position: number): number {
    let from = 0;
    for (const [index, { text }] of this.pieces.entries()) {
      from += text.length + this.seam.length;
      if (position < from) return index;
    }
    return this.pieces.length - 1;
  }

  /** The first piece of a match gets the new text; the others lose their part of it. */
  edit(edits: readonly Edit[]): void {
    let from = 0;
    for (const piece of this.pieces) {
      const { text } = piece;
      const end = from + text.length;
      let result = '';
      let at = from;
      for (const edit of edits) {
        if (edit.end <= from || edit.start >= end) continue;
        result += text.slice(at - from, Math.max(edit.start, from) - from);
        if (edit.start >= from) result += edit.text;
        at = Math.min(edit.end, end);
      }
      if (at > from || result !== '') {
        piece.text = result + text.slice(at - from);
        if (!this.changed.includes(piece)) this.changed.push(piece);
      }
      from = end;
    }
  }
}
