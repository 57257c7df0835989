import type { Work } from '../../guards/turns.js';
import type {
  ChatChoice,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  ChatResponseMessage,
  ToolCall,
} from '../../upstreams/contract/chat.types.js';
import { type AnswerTexts, type GuardedText, isJsonField, type Path, pathText, withTexts } from './answer-texts.js';

/** An answer on its way through guards, in one form. */
export interface GuardedForm {
  /** Deals with the usual chunk of a stream, of which nothing needs waiting; false: it is another one, for `chunk`. */
  now(chunk: ChatCompletionChunk): boolean;
  chunk(chunk: ChatCompletionChunk): Work<void>;
  whole(completion: ChatCompletion): Work<ChatCompletion>;
  /** No chunk came for a while. */
  quiet(): Work<void>;
  end(): Work<void>;
}

type Emit = (chunk: ChatCompletionChunk) => void;

interface ChoiceState {
  isEnded: boolean;
  /** Of texts that come in pieces and may be waiting, by their keys. */
  readonly open: Map<string, Path>;
  /** The text of the field `content`. */
  content: GuardedText | null;
}

/** The fields of deltas whose texts come in pieces; other strings come as a whole. */
const PIECES = new Set(
  'content reasoning_content reasoning refusal transcript arguments input text thinking'.split(' '),
);

/** An answer in the inner form. */
export class GuardedChat implements GuardedForm {
  private readonly choices = new Map<number, ChoiceState>();
  private latest: ChatCompletionChunk | null = null;

  constructor(
    private readonly texts: AnswerTexts,
    private readonly emit: Emit,
  ) {}

  now(chunk: ChatCompletionChunk): boolean {
    const [choice] = chunk.choices;
    if (!choice || chunk.choices.length > 1 || choice.finish_reason !== null || choice.logprobs) return false;
    const text = onlyContent(choice.delta);
    const state = this.choices.get(choice.index);
    if (text === null || !state?.content?.isImmediate || this.texts.isBlocked) return false;
    this.latest = chunk;
    const sent = state.content.pushNow(text);
    if (this.texts.isBlocked) {
      state.isEnded = true;
      const last: ChatChunkChoice = { ...choice, delta: { content: sent }, finish_reason: 'content_filter' };
      this.emit({ ...chunk, choices: [last, ...this.endings()] });
    } else if (sent === text) this.emit(chunk);
    else if (sent !== '' || chunk.usage) this.emit({ ...chunk, choices: [{ ...choice, delta: { content: sent } }] });
    return true;
  }

  *chunk(chunk: ChatCompletionChunk): Work<void> {
    if (chunk.choices.length === 0) return this.emit(chunk);
    this.latest = chunk;
    const choices: ChatChunkChoice[] = [];
    for (const choice of chunk.choices) {
      if (this.texts.isBlocked) break;
      const guarded = yield* this.choice(choice);
      if (guarded) choices.push(guarded);
    }
    if (this.texts.isBlocked) choices.push(...this.endings());
    const isSame = choices.length === chunk.choices.length && choices.every((one, at) => one === chunk.choices[at]);
    if (isSame) this.emit(chunk);
    else if (choices.length > 0 || chunk.usage) this.emit({ ...chunk, choices });
  }

  *whole(completion: ChatCompletion): Work<ChatCompletion> {
    const choices: ChatChoice[] = [];
    let isSame = true;
    for (const choice of completion.choices) {
      const guarded = this.texts.isBlocked ? blockedChoice(choice) : yield* this.wholeChoice(choice);
      isSame &&= guarded === choice;
      choices.push(guarded);
    }
    return isSame ? completion : { ...completion, choices };
  }

  *quiet(): Work<void> {
    for (const [index, { open }] of this.choices) {
      for (const [key, path] of open) {
        const waiting = this.texts.find(key);
        const text = waiting ? yield* waiting.quiet() : '';
        if (text !== '') this.emitText(index, path, text);
      }
    }
    this.emitBlocked();
  }

  /** Only answers without a finish reason have waiting texts then. */
  *end(): Work<void> {
    for (const index of this.choices.keys()) yield* this.endTexts(index);
    this.emitBlocked();
  }

  private *wholeChoice(choice: ChatChoice): Work<ChatChoice> {
    const { texts } = this;
    const whole = (text: string, path: Path) => texts.whole(text, pathText(path), isJsonField(path));
    const at: Path = ['choices', choice.index, 'message'];
    const { tool_calls: calls } = choice.message;
    let message: ChatResponseMessage;
    if (calls === undefined) message = (yield* withTexts(choice.message, at, whole)) as ChatResponseMessage;
    else {
      const { tool_calls: _, ...rest } = choice.message;
      message = (yield* withTexts(rest, at, whole)) as ChatResponseMessage;
      const called: ToolCall[] = [];
      for (const [index, call] of calls.entries()) {
        const guarded = (yield* withTexts(call, [...at, 'tool_calls', index], whole)) as ToolCall;
        // What remains of its arguments is no call.
        if (!texts.isBlocked) called.push(guarded);
      }
      if (called.length > 0) message = { ...message, tool_calls: called };
    }
    const logprobs = texts.changes && choice.logprobs ? null : choice.logprobs;
    if (texts.isBlocked) {
      const { function_call: _, ...rest } = message;
      return { ...choice, message: rest, finish_reason: 'content_filter', logprobs };
    }
    if (message === choice.message && logprobs === choice.logprobs) return choice;
    return { ...choice, message, logprobs };
  }

  /** Null: nothing of it is sent now. */
  private *choice(choice: ChatChunkChoice): Work<ChatChunkChoice | null> {
    const { texts } = this;
    const { index, finish_reason: finish } = choice;
    const state: ChoiceState = this.choices.get(index) ?? { isEnded: false, open: new Map(), content: null };
    this.choices.set(index, state);
    const at: Path = ['choices', index, 'message'];
    if (beginsCall(choice.delta)) yield* this.endTexts(index);
    if (texts.isBlocked) {
      state.isEnded = true;
      return { index, delta: {}, finish_reason: 'content_filter' };
    }
    let hasText = false;
    const delta = (yield* withTexts(choice.delta, at, (text, path) => {
      hasText = true;
      return this.text(text, path, index);
    })) as ChatDelta;
    const logprobs = texts.changes && choice.logprobs ? { logprobs: null } : undefined;
    const guarded = delta === choice.delta && !logprobs ? choice : { ...choice, delta, ...logprobs };
    if (texts.isBlocked) {
      state.isEnded = true;
      return { ...guarded, finish_reason: 'content_filter' };
    }
    if (finish === null) return hasText && isEmptied(delta) ? null : guarded;
    if (!this.isWaiting(index)) {
      state.isEnded = true;
      return guarded;
    }
    if (Object.keys(delta).length > 0) this.emitDelta(index, delta);
    yield* this.endTexts(index);
    state.isEnded = true;
    return { ...guarded, delta: {}, finish_reason: texts.isBlocked ? 'content_filter' : finish };
  }

  private *text(text: string, path: Path, index: number): Work<string> {
    const { texts } = this;
    const isPiece = PIECES.has(String(path.at(-1)));
    if (!isPiece) return yield* texts.whole(text, pathText(path), isJsonField(path));
    const key = pathText(path);
    const state = this.choices.get(index) as ChoiceState;
    const known = texts.find(key);
    if (known) {
      state.open.set(key, path);
      return yield* known.push(text);
    }
    // What comes first is sent first.
    yield* this.endTexts(index);
    state.open.set(key, path);
    const begun = texts.begin(key, key, isJsonField(path));
    if (path.length === 4 && path[3] === 'content') state.content = begun;
    return yield* begun.push(text);
  }

  private isWaiting(index: number): boolean {
    for (const key of this.choices.get(index)?.open.keys() ?? []) if (this.texts.find(key)?.isWaiting) return true;
    return false;
  }

  private *endTexts(index: number): Work<void> {
    const state = this.choices.get(index);
    for (const [key, path] of state?.open ?? []) {
      const text = this.texts.find(key);
      // An answer may have thousands of texts. Its content is pushed without `text`.
      if (text !== state?.content) state?.open.delete(key);
      if (!text?.isWaiting) continue;
      const rest = yield* text.end();
      if (rest !== '') this.emitText(index, path, rest);
    }
  }

  private emitText(index: number, path: Path, text: string): void {
    this.emitDelta(index, deltaWith(path.slice(3), text) as ChatDelta);
  }

  private emitDelta(index: number, delta: ChatDelta): void {
    const { id, object, created, model } = this.latest as ChatCompletionChunk;
    this.emit({ id, object, created, model, choices: [{ index, delta, finish_reason: null }] });
  }

  /** Ends the answer if it was blocked between two chunks. */
  private emitBlocked(): void {
    const choices = this.texts.isBlocked ? this.endings() : [];
    const { id, object, created, model } = this.latest ?? {};
    if (choices.length > 0) this.emit({ id, object, created, model, choices } as ChatCompletionChunk);
  }

  private endings(): ChatChunkChoice[] {
    const open = [...this.choices].filter(([, { isEnded }]) => !isEnded);
    for (const [, state] of open) state.isEnded = true;
    return open.map(([index]) => ({ index, delta: {}, finish_reason: 'content_filter' }));
  }
}

function blockedChoice(choice: ChatChoice): ChatChoice {
  const message: ChatResponseMessage = { role: 'assistant', content: null, refusal: null };
  return { ...choice, message, finish_reason: 'content_filter', logprobs: null };
}

/** Text that waits is sent before the name of a tool that is called. */
function beginsCall({ tool_calls: calls, function_call: called }: ChatDelta): boolean {
  return Boolean(called?.name) || Boolean(calls?.some(({ id }) => id));
}

/** Null: the delta has other fields, or no text. */
function onlyContent(delta: ChatDelta): string | null {
  for (const key in delta) if (key !== 'content') return null;
  const { content } = delta;
  return typeof content === 'string' && content !== '' ? content : null;
}

/** Whether a delta that had text has nothing else to say. */
function isEmptied(delta: object): boolean {
  return Object.entries(delta).every(([key, value]) => {
    if (value === '' || value === null || key === 'index') return true;
    return typeof value === 'object' && isEmptied(value);
  });
}

/** A delta with one text. A number is the index of an entry. */
function deltaWith([step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  const inner = deltaWith(rest, text);
  return typeof step === 'number' ? [{ ...(inner as object), index: step }] : { [step]: inner };
}
