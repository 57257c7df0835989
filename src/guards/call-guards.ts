import { type GatewayError, gatewayError } from '../common/gateway.error.js';
import type { Guard, GuardAction, GuardedCall, GuardSide, TextFindings } from './guard.js';
import { LONGEST_PLACEHOLDER, Masks } from './masks.js';
import { RequestDocument, type TextEdit } from './request-document.js';
import { knownPathOf, type RequestText, textsOf, withTexts } from './request-texts.js';
import { inTurns, Turns, type Work } from './turns.js';

/** What a guard found and did in a call, for headers, metrics and the row. */
export interface GuardHit {
  readonly guard: string;
  /** As in `Finding`. */
  readonly name: string;
  readonly action: GuardAction | 'pass';
  readonly side: GuardSide;
  count: number;
}

/** Characters that are searched for placeholders at once. */
const SEARCHED = 32 * 1024;

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
    return inTurns(this.checked(body, guards, new Turns()));
  }

  /**
   * What the guard finds in texts of one side, at once where it can. A 503 if it throws. Only guards that ask a service
   * need `paths`.
   */
  check(
    guard: Guard,
    side: GuardSide,
    texts: readonly string[],
    paths: readonly string[],
  ): Promise<readonly TextFindings[]> | readonly TextFindings[] {
    const { signal } = this.call;
    const checked = (findings: readonly TextFindings[]) => {
      if (findings.length !== texts.length) throw new Error('It returned findings for another number of texts.');
      return findings;
    };
    const failed = (error: unknown): never => {
      if (!signal?.aborted) this.count(guard, 'unavailable', 'block', side);
      throw guardUnavailable(guard, error);
    };
    try {
      const findings = guard.check(texts, { ...this.call, side, paths });
      return findings instanceof Promise ? findings.then(checked).catch(failed) : checked(findings);
    } catch (error) {
      return failed(error);
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

  private *checked(body: unknown, guards: readonly Guard[], turns: Turns): Work<unknown> {
    const { groups, names, media } = yield* textsOf(body, turns);
    const documents = (names.length > 0 ? [...groups, names] : groups).map((pieces) => new RequestDocument(pieces));
    for (const { pieces } of documents) {
      for (const { text } of pieces) {
        for (let at = 0; at < text.length; at += SEARCHED) {
          this.masks.reserveIn(text.slice(at, at + SEARCHED + LONGEST_PLACEHOLDER));
          const isOver = turns.after(Math.min(text.length, SEARCHED));
          if (isOver) yield isOver;
        }
      }
    }
    const changed = new Set<RequestText>();
    for (const guard of guards) {
      if (guard.refusesMedia && media !== null)
        throw this.blocked(guard, 'an image, sound or file', knownPathOf(media), 'media');
      const findings = yield* this.findingsOf(guard, documents, turns);
      for (const [index, found] of findings) {
        const document = documents[index] as RequestDocument;
        for (const piece of yield* document.withEdits(yield* this.editsOf(guard, document, found, turns), turns))
          changed.add(piece);
      }
    }
    return yield* withTexts(body, changed, turns);
  }

  /** By the position of the document; those without findings are left out. */
  private *findingsOf(
    guard: Guard,
    documents: readonly RequestDocument[],
    turns: Turns,
  ): Work<readonly (readonly [document: number, findings: TextFindings])[]> {
    const texts: string[] = [];
    const paths: string[] = [];
    for (const document of documents) {
      const isJoined = turns.after(document.text.length);
      if (isJoined) yield isJoined;
      for (const text of document.texts) texts.push(text);
      if (guard.stream.kind === 'window') for (const path of document.paths) paths.push(path);
      const isOver = turns.after(document.text.length);
      if (isOver) yield isOver;
    }
    const checked = this.check(guard, 'request', texts, paths);
    const found = (checked instanceof Promise ? yield checked : checked) as readonly TextFindings[];
    const all: (readonly [number, TextFindings])[] = [];
    let next = 0;
    for (const [index, document] of documents.entries()) {
      const first = next;
      next += document.texts.length;
      let hasFindings = false;
      for (let at = first; at < next && !hasFindings; at++) hasFindings = (found[at] as TextFindings).length > 0;
      if (hasFindings) all.push([index, yield* document.joined(found.slice(first, next), turns)]);
      const isOver = turns.after(0);
      if (isOver) yield isOver;
    }
    return all;
  }

  private *editsOf(guard: Guard, document: RequestDocument, findings: TextFindings, turns: Turns): Work<TextEdit[]> {
    const edits: TextEdit[] = [];
    for (const finding of findings) {
      const isOver = turns.after(0);
      if (isOver) yield isOver;
      const action = finding.action ?? guard.action;
      if (action === 'report') {
        this.count(guard, finding.name, 'report', 'request');
        continue;
      }
      const { first, isMaskable } = document.piecesOf(finding);
      if (action === 'block' || !isMaskable)
        throw this.blocked(guard, finding.kind, knownPathOf(first.place), finding.name);
      this.count(guard, finding.name, 'mask', 'request');
      const value = document.text.slice(finding.start, finding.end);
      const text = finding.replacement ?? this.masks.placeholderOf(finding.name, value, guard.restores);
      edits.push({ start: finding.start, end: finding.end, text });
    }
    return edits;
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
