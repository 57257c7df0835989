import type { Work } from '../../guards/turns.js';
import { parseExactly } from '../../json/exact-json.js';
import type { ChatChunkChoice, ChatCompletion, ChatCompletionChunk } from '../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject, objectOf } from '../../upstreams/contract/json.js';
import { type AnswerTexts, type GuardedText, isJsonField, type Path, pathText, withTexts } from './answer-texts.js';
import type { GuardedForm } from './chat-answer.js';
import type { NativeDelta, NativeForm } from './native-forms.js';

/** A text of the stream that began. */
interface BegunText {
  readonly text: GuardedText;
  readonly item: number;
  /** The latest event with a piece of it, as the model for another one, and its place in the inner form. */
  latest: NativeDelta;
  choices: readonly ChatChunkChoice[];
}

/** An answer in the form of a native API; what the inner form has of it changes with it. */
export class GuardedNative implements GuardedForm {
  private readonly begun = new Map<string, BegunText>();
  private latest: ChatCompletionChunk | null = null;
  /** The item in which a text was blocked; null: none was. */
  private blocked: number | null = null;
  /** Added events minus dropped ones, by which the sequence numbers of later events change. */
  private added = 0;
  private lastNumber = 0;
  /** Of the current chunk: what is added to its choices, and what its texts become. */
  private choices: ChatChunkChoice[] = [];
  private readonly pieces = new Map<string, string>();

  constructor(
    private readonly texts: AnswerTexts,
    private readonly emit: (chunk: ChatCompletionChunk) => void,
    private readonly form: NativeForm,
  ) {}

  now(): boolean {
    return false;
  }

  *chunk(chunk: ChatCompletionChunk): Work<void> {
    const { nativeEvents } = chunk;
    if (!nativeEvents) return this.emit(chunk);
    this.latest = chunk;
    const wasBlocked = this.texts.isBlocked;
    let text = '';
    for (const { name, event } of eventsIn(nativeEvents.text)) text += yield* this.event(name, event, chunk.choices);
    const own = wasBlocked ? [] : yield* this.copied(chunk.choices);
    const choices = [...this.taken(), ...own];
    const { unread: _, ...events } = nativeEvents;
    if (text !== '' || nativeEvents.isLast) this.emit({ ...chunk, choices, nativeEvents: { ...events, text } });
  }

  *whole(completion: ChatCompletion): Work<ChatCompletion> {
    const answer = objectOf(parseExactly(completion.nativeText ?? ''));
    const guarded = yield* this.withWholes(answer);
    const { blocked } = this;
    const sent = blocked === null ? guarded : this.form.blockedAnswer(guarded, blocked);
    const choices = [];
    for (const choice of completion.choices) {
      const message = yield* withTexts(choice.message, [], this.copy);
      const finish = blocked === null ? choice.finish_reason : 'content_filter';
      choices.push({ ...choice, message: message as typeof choice.message, finish_reason: finish });
    }
    return { ...completion, choices, nativeText: JSON.stringify(sent) };
  }

  *quiet(): Work<void> {
    let text = '';
    for (const begun of this.begun.values()) text += this.addedEvent(begun, yield* begun.text.quiet());
    this.emitAdded(text);
  }

  *end(): Work<void> {
    this.emitAdded(yield* this.endTexts('all'));
  }

  private *event(name: string, event: JsonObject, choices: readonly ChatChunkChoice[]): Work<string> {
    const delta = this.form.deltaOf(event);
    if (delta !== null) return yield* this.delta(name, delta, choices);
    const ended = this.form.endedBy(event);
    const before = ended === null ? '' : yield* this.endTexts(ended);
    const guarded = yield* this.withWholes(event);
    const sent = this.blocked === null ? guarded : this.form.afterBlock(guarded, this.blocked);
    if (sent === null && typeof event.sequence_number === 'number') this.added--;
    return before + this.written(name, sent);
  }

  private *delta(name: string, delta: NativeDelta, choices: readonly ChatChunkChoice[]): Work<string> {
    let begun = this.begun.get(delta.key);
    const wasBlocked = this.blocked !== null;
    if (!begun) {
      const text = this.texts.begin(delta.key, pathText(delta.path), isJsonField(delta.path));
      begun = { text, item: Number(delta.path[1]), latest: delta, choices };
      this.begun.set(delta.key, begun);
    }
    begun.latest = delta;
    begun.choices = choices;
    const sent = yield* begun.text.push(delta.text);
    this.pieces.set(delta.text, sent);
    if (begun.text.isBlocked) this.blocked ??= begun.item;
    if (!wasBlocked) return this.written(name, delta.with(sent));
    this.added--;
    return '';
  }

  private *endTexts(item: number | 'all'): Work<string> {
    let out = '';
    for (const [key, begun] of this.begun) {
      if (item !== 'all' && begun.item !== item) continue;
      const rest = yield* begun.text.end();
      if (begun.text.isBlocked) this.blocked ??= begun.item;
      out += this.addedEvent(begun, rest);
      this.begun.delete(key);
    }
    return out;
  }

  /** An event that the upstream did not send, for a text that waited. */
  private addedEvent({ latest, choices }: BegunText, text: string): string {
    if (text === '') return '';
    this.choices.push(...choices.map((choice) => ({ ...withPiece(choice, latest.text, text), finish_reason: null })));
    const event = latest.with(text);
    if (typeof event.sequence_number === 'number') {
      this.added++;
      event.sequence_number = ++this.lastNumber;
    }
    return eventText(String(event.type), event);
  }

  private written(name: string, event: JsonObject | null): string {
    if (event === null) return '';
    const number = event.sequence_number;
    if (typeof number !== 'number') return eventText(String(event.type ?? name), event);
    this.lastNumber = number + this.added;
    return eventText(String(event.type ?? name), { ...event, sequence_number: this.lastNumber });
  }

  private emitAdded(text: string): void {
    if (text === '' || this.latest === null) return;
    const { id, object, created, model } = this.latest;
    this.emit({ id, object, created, model, choices: this.taken(), nativeEvents: { text, isLast: false } });
  }

  private taken(): ChatChunkChoice[] {
    const { choices } = this;
    this.choices = [];
    return choices;
  }

  /** The texts of an event or answer that came as a whole. */
  private *withWholes(value: JsonObject): Work<JsonObject> {
    const way = this.form.answerIn(value);
    const inner = way.reduce<unknown>((outer, step) => objectOf(outer)[step], value);
    const isList = way.length > 0;
    const guarded = yield* withTexts(inner, isList ? way.slice(-1) : [], (text, path) =>
      this.wholeText(text, path, value),
    );
    return replaced(value, way, guarded) as JsonObject;
  }

  private *wholeText(text: string, path: Path, event: JsonObject): Work<string> {
    const wasBlocked = this.texts.isBlocked;
    const sent = yield* this.texts.whole(text, pathText(path), isJsonField(path));
    if (!wasBlocked && this.texts.isBlocked) {
      const [, position] = path;
      const item = typeof position === 'number' ? position : (event.output_index ?? event.index);
      this.blocked ??= typeof item === 'number' ? item : 0;
    }
    return sent;
  }

  private *copied(choices: readonly ChatChunkChoice[]): Work<ChatChunkChoice[]> {
    const copies: ChatChunkChoice[] = [];
    for (const choice of choices) {
      const delta = (yield* withTexts(choice.delta, [], this.copy)) as ChatChunkChoice['delta'];
      const finish = this.blocked === null ? choice.finish_reason : 'content_filter';
      copies.push({ ...choice, delta, finish_reason: finish });
    }
    this.pieces.clear();
    return copies;
  }

  private readonly copy = (text: string): string => this.pieces.get(text) ?? this.texts.copied(text);
}

function withPiece(choice: ChatChunkChoice, original: string, text: string): ChatChunkChoice {
  const json = JSON.stringify(choice.delta);
  const delta: unknown = JSON.parse(json, (_, value: unknown) => (value === original ? text : value));
  return { ...choice, delta: delta as ChatChunkChoice['delta'] };
}

function replaced(value: unknown, [step, ...rest]: readonly string[], inner: unknown): unknown {
  if (step === undefined) return inner;
  const own = objectOf(value);
  const next = replaced(own[step], rest, inner);
  return next === own[step] ? value : { ...own, [step]: next };
}

function eventText(name: string, event: JsonObject): string {
  return `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`;
}

function* eventsIn(text: string): Iterable<{ readonly name: string; readonly event: JsonObject }> {
  for (const block of text.split('\n\n')) {
    const lines = block.split('\n');
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length));
    if (data.length === 0) continue;
    const event = parseExactly(data.join('\n'));
    const name =
      lines
        .find((line) => line.startsWith('event:'))
        ?.slice('event:'.length)
        .trim() ?? '';
    if (isObject(event)) yield { name, event };
  }
}
