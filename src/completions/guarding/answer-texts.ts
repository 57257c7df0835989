import { AnswerWindow, type Released } from '../../guards/answer-window.js';
import type { CallGuards } from '../../guards/call-guards.js';
import type { Guard, TextFindings } from '../../guards/guard.js';
import { Turns, type Work } from '../../guards/turns.js';

/** A text that came as a whole is checked in pieces of this length. */
const WHOLE_PIECE = 16 * 1024;

/** The texts of one answer on their way through the guards of its call. */
export class AnswerTexts {
  readonly immediate: readonly Guard[];
  readonly services: readonly Guard[];
  /** Whether texts can become others than those that came. */
  readonly changes: boolean;
  isBlocked = false;
  /** Checked texts → what is sent instead, because answers repeat their texts. */
  readonly known = new Map<string, string>();
  private readonly texts = new Map<string, GuardedText>();

  constructor(readonly guards: CallGuards) {
    const own = guards.guards.filter(({ sides }) => sides.has('answer'));
    this.immediate = own.filter(({ stream }) => stream.kind === 'immediate');
    this.services = own.filter(({ stream }) => stream.kind === 'window');
    this.changes = own.some(({ action, stream }) => action !== 'report' || stream.kind === 'window');
  }

  get open(): GuardedText[] {
    return [...this.texts.values()];
  }

  find(key: string): GuardedText | undefined {
    return this.texts.get(key);
  }

  begin(key: string, path: string, isJson: boolean): GuardedText {
    const text = new GuardedText(this, path, isJson);
    this.texts.set(key, text);
    return text;
  }

  /** What is sent of a text that came as a whole: nothing after a block. */
  *whole(text: string, path: string, isJson = false): Work<string> {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    if (this.isBlocked) return '';
    const whole = new GuardedText(this, path, isJson);
    let sent = '';
    const turns = new Turns();
    let at = 0;
    for (; at + WHOLE_PIECE < text.length; at += WHOLE_PIECE) {
      sent += yield* whole.push(text.slice(at, at + WHOLE_PIECE));
      const isOver = turns.after(WHOLE_PIECE);
      if (isOver) yield isOver;
    }
    sent += yield* whole.end(text.slice(at));
    this.known.set(text, sent);
    return sent;
  }

  /** The same for a text that consists of such texts; it is not counted. */
  copied(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    let copy = text;
    for (const [original, sent] of this.known) {
      if (original === sent || original === '') continue;
      copy = copy.replaceAll(original, () => sent).replaceAll(inJson(original), () => inJson(sent));
    }
    if (this.isBlocked && copy === text) return '';
    const window = new AnswerWindow(this.immediate, { masks: this.guards.masks, count: () => undefined });
    const pushed = window.push(copy);
    return pushed.blockedBy ? pushed.text : pushed.text + window.end().text;
  }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** One text of an answer, which may come in pieces. */
export class GuardedText {
  isBlocked = false;
  /** Of which answer texts are copies. */
  original = '';
  private sent = '';
  private readonly window: AnswerWindow;
  /** For the services. */
  private waiting = '';
  private readonly windowSize: number;

  constructor(
    private readonly texts: AnswerTexts,
    private readonly path: string,
    isJson: boolean,
  ) {
    this.window = new AnswerWindow(texts.immediate, texts.guards, isJson);
    this.windowSize = Math.max(0, ...texts.services.map(windowOf));
  }

  /** Whether no service looks at it, so that nothing of it needs waiting. */
  get isImmediate(): boolean {
    return this.windowSize === 0;
  }

  /** The same as `push`, where nothing needs waiting. */
  pushNow(text: string): string {
    this.original += text;
    if (this.texts.isBlocked) return '';
    const { text: out, blockedBy } = this.window.push(text);
    if (blockedBy) this.block();
    this.sent += out;
    return out;
  }

  *push(text: string): Work<string> {
    if (this.isImmediate) return this.pushNow(text);
    this.original += text;
    if (this.texts.isBlocked) return '';
    return yield* this.released(this.window.push(text), false);
  }

  /** `last`: what it ends with. */
  *end(last = ''): Work<string> {
    this.original += last;
    const rest = this.texts.isBlocked ? '' : yield* this.released(this.window.end(last), true);
    this.texts.known.set(this.original, this.sent);
    return rest;
  }

  *quiet(): Work<string> {
    return this.texts.isBlocked ? '' : yield* this.released(this.window.quiet(), false);
  }

  get isWaiting(): boolean {
    return !this.window.isEmpty || this.waiting !== '';
  }

  private *released({ text, blockedBy }: Released, isEnd: boolean): Work<string> {
    let out = text;
    if (this.windowSize > 0) out = yield* this.checkedByServices(text, isEnd || blockedBy !== null);
    if (blockedBy) this.block();
    this.sent += out;
    return out;
  }

  private *checkedByServices(text: string, isLast: boolean): Work<string> {
    this.waiting += text;
    let out = '';
    while (this.waiting !== '' && (isLast || this.waiting.length >= this.windowSize) && !this.isBlocked) {
      const end = this.endOfWindow(this.waiting);
      const piece = this.waiting.slice(0, end);
      this.waiting = this.waiting.slice(end);
      out += yield* this.passed(piece);
    }
    return out;
  }

  /** Between words where possible, and never inside a placeholder. */
  private endOfWindow(text: string): number {
    if (text.length <= this.windowSize) return text.length;
    const piece = text.slice(0, this.windowSize);
    const space = piece.search(/\s\S*$/);
    if (space >= this.windowSize / 2) return space + 1;
    return this.texts.guards.masks.openFrom(piece) || piece.length;
  }

  private *passed(piece: string): Work<string> {
    const { guards } = this.texts;
    let text = piece;
    for (const guard of this.texts.services) {
      if (text === '') break;
      const parts = partsOf(text, windowOf(guard));
      text = '';
      for (const part of parts) {
        const checked = guards.check(guard, 'answer', [part], [this.path]);
        const [findings = []] = (checked instanceof Promise ? yield checked : checked) as readonly TextFindings[];
        text += this.applied(guard, part, findings);
        if (this.isBlocked) break;
      }
    }
    return text;
  }

  private applied(guard: Guard, text: string, findings: TextFindings): string {
    const { guards } = this.texts;
    let out = '';
    let at = 0;
    for (const finding of findings) {
      const action = finding.action ?? guard.action;
      guards.count(guard, finding.name, action, 'answer');
      if (action === 'report') continue;
      out += text.slice(at, finding.start);
      at = finding.end;
      if (action === 'block') {
        this.block();
        return out;
      }
      const value = text.slice(finding.start, finding.end);
      out += finding.replacement ?? guards.masks.placeholderOf(finding.name, value, false);
    }
    return out + text.slice(at);
  }

  private block(): void {
    this.isBlocked = true;
    this.texts.isBlocked = true;
    this.waiting = '';
  }
}

function windowOf({ stream }: Guard): number {
  return stream.kind === 'window' ? stream.characters : 0;
}

function partsOf(text: string, size: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
  return parts;
}

const SKIPPED = new Set(
  (
    'role id type index name object status model call_id item_id tool_call_id tool_use_id container_id signature ' +
    'encrypted_content stop_reason phase media_type format file_id event obfuscation'
  ).split(' '),
);
const MEDIA = new Set(['data', 'result', 'b64_json', 'partial_image_b64', 'url', 'image_url', 'file_data']);
const LONGEST_SHORT = 512;
/** Shorter numbers identify nobody. */
const LONG_NUMBER = 1e8;

export type Path = readonly (string | number)[];
type EditText = (text: string, path: Path) => Work<string> | string;

/** The value with other texts; the same value if none changes. Names, ids and media are no texts. */
export function* withTexts(value: unknown, path: Path, edit: EditText): Work<unknown> {
  if (isFixed(value, path.at(-1))) return value;
  if (typeof value !== 'object' || value === null) return yield* edited(value, path, edit);
  let copy: Record<string | number, unknown> | null = null;
  // Not for-in, whose code in a generator V8 would compile and throw away again and again.
  for (const [at, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? indexOf(inner, Number(at)) : at;
    if (isFixed(inner, step)) continue;
    const own = [...path, step];
    const changed = yield* typeof inner === 'object' ? withTexts(inner, own, edit) : edited(inner, own, edit);
    if (changed === inner) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
    copy[at] = changed;
  }
  return copy ?? value;
}

/** A string or a number. */
function* edited(value: unknown, path: Path, edit: EditText): Work<unknown> {
  if (typeof value === 'number' && !path.includes('input')) return value;
  const text = edit(String(value), path);
  const sent = typeof text === 'string' ? text : yield* text;
  return sent === String(value) ? value : sent;
}

/** Whether the value has no text for sure. */
function isFixed(value: unknown, key: string | number | undefined): boolean {
  if (typeof value === 'string') return value === '' || isNoText(value, key);
  if (typeof value === 'number') return Math.abs(value) < LONG_NUMBER;
  return typeof value !== 'object' || value === null || JSON.isRawJSON(value);
}

function isNoText(text: string, key: string | number | undefined): boolean {
  if (typeof key !== 'string') return false;
  return SKIPPED.has(key) || (MEDIA.has(key) && (text.startsWith('data:') || isLongWord(text)));
}

function isLongWord(text: string): boolean {
  return text.length > LONGEST_SHORT && !/\s/.test(text.slice(0, LONGEST_SHORT));
}

/** Entries of deltas say where they belong. */
function indexOf(entry: unknown, position: number): number {
  const index = typeof entry === 'object' && entry !== null && 'index' in entry ? entry.index : null;
  return typeof index === 'number' ? index : position;
}

/** `choices[0].message.content` */
export function pathText(path: Path): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('');
}

export function isJsonField(path: Path): boolean {
  const key = path.at(-1);
  return key === 'arguments' || key === 'partial_json';
}
