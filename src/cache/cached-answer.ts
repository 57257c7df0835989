import type { TokenCounts } from '../ledger/call-record.types.js';
import type {
  Answer,
  ChatChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
} from '../upstreams/contract/chat.types.js';
import { isObject, type JsonObject } from '../upstreams/contract/json.js';

/** `any`: a translated answer, as JSON or as a stream. Native answers only have the form in which they came. */
export type AnswerForm = 'any' | 'json' | 'stream';

/** An answer as it is cached. */
export interface CachedAnswer {
  readonly form: AnswerForm;
  /** A completion, or the chunks of a native stream. */
  readonly parts: readonly Answer[];
  readonly usage: CompletionUsage | null;
  readonly tokens: TokenCounts;
  readonly finishReason: string | null;
  /** What the call cost. */
  readonly nanodollars: number;
  /** The header `x-gateway-ignored-parameters`. */
  readonly ignored?: string | undefined;
}

/** Who gets a cached answer. */
export interface AnsweredCall {
  readonly id: string;
  readonly created: number;
  readonly modelName: string;
  readonly isStream: boolean;
  readonly includesUsage: boolean;
}

const WHOLE: ReadonlySet<unknown> = new Set(['stop', 'tool_calls', 'function_call']);

/** Collects the parts of an answer that may be cached. Answers that are larger than `most` characters are dropped. */
export class AnswerCollector {
  private parts: Answer[] = [];
  private readonly choices = new Map<number, CollectedChoice>();
  private head: ChatCompletionChunk | null = null;
  private size = 0;
  private isNative = false;
  private isRefused = false;

  constructor(private readonly most: number) {}

  see(part: Answer): void {
    if (this.isRefused) return;
    if (part.object === 'chat.completion') this.seeWhole(part);
    else this.seeChunk(part);
    if (this.size <= this.most && !this.isRefused) return;
    this.isRefused = true;
    this.parts = [];
    this.choices.clear();
  }

  /** Null: the answer must not be cached. `usage`: as in the call's row. */
  collected(usage: CompletionUsage | null): Pick<CachedAnswer, 'form' | 'parts'> | null {
    if (this.isRefused) return null;
    const [first] = this.parts;
    if (first?.object === 'chat.completion') return { form: this.isNative ? 'json' : 'any', parts: this.parts };
    if (this.isNative) return { form: 'stream', parts: this.parts };
    if (!this.head || this.choices.size === 0) return null;
    const choices = [...this.choices]
      .sort(([one], [other]) => one - other)
      .map(([index, choice]) => choice.whole(index));
    const { choices: _, object, usage: __, ...rest } = this.head;
    return {
      form: 'any',
      parts: [{ ...rest, object: 'chat.completion', choices, ...(usage && { usage }) } as ChatCompletion],
    };
  }

  private seeWhole(completion: ChatCompletion): void {
    this.isNative = completion.nativeText !== undefined;
    this.parts.push(completion);
    this.size += JSON.stringify(completion).length;
    for (const { message, finish_reason } of completion.choices) {
      if (!WHOLE.has(finish_reason) || hasMedia(message)) this.isRefused = true;
    }
  }

  private seeChunk(chunk: ChatCompletionChunk): void {
    const { nativeEvents } = chunk;
    this.isNative ||= nativeEvents !== undefined;
    if (nativeEvents) {
      this.parts.push(chunk);
      this.size += nativeEvents.text.length;
      if (nativeEvents.unread && nativeEvents.unread.sound > 0) this.isRefused = true;
    }
    this.head ??= chunk;
    for (const { index, delta, finish_reason: finish, logprobs, stop_reason } of chunk.choices) {
      if (hasMedia(delta) || (finish !== null && !WHOLE.has(finish))) this.isRefused = true;
      if (this.isNative) continue;
      const choice = this.choices.get(index) ?? new CollectedChoice();
      this.choices.set(index, choice);
      this.size += choice.add(delta, finish, logprobs ?? null, stop_reason);
    }
  }
}

function hasMedia({ audio, images }: ChatDelta | ChatResponseMessage): boolean {
  return audio != null || (Array.isArray(images) && images.length > 0);
}

/** The sum of a choice's deltas. */
class CollectedChoice {
  private readonly message: JsonObject = { role: 'assistant', content: null, refusal: null };
  private logprobs: JsonObject | null = null;
  private finish: FinishReason = 'stop';
  private stopReason: string | undefined;

  /** Returns the number of characters added, about. */
  add(delta: ChatDelta, finish: FinishReason | null, logprobs: JsonObject | null, stopReason?: string): number {
    const { role: _, ...fields } = delta;
    const added = merge(this.message, fields) + (logprobs ? JSON.stringify(logprobs).length : 0);
    if (logprobs) {
      this.logprobs ??= {};
      merge(this.logprobs, logprobs);
    }
    if (finish !== null) this.finish = finish;
    this.stopReason ??= stopReason;
    return added;
  }

  whole(index: number): ChatChoice {
    const { message, logprobs, finish, stopReason } = this;
    if (message.content === '' && message.tool_calls) message.content = null;
    const whole = { index, message: message as unknown as ChatResponseMessage, finish_reason: finish, logprobs };
    return stopReason === undefined ? whole : { ...whole, stop_reason: stopReason };
  }
}

/** Fields of deltas that are sent once, or again, but never in pieces. */
const CONSTANT: ReadonlySet<string> = new Set(['id', 'type', 'name', 'role', 'format', 'index']);

/** As the SDKs join deltas: texts are joined, lists of entries with an `index` by it. Returns the characters added. */
function merge(into: JsonObject, delta: Readonly<JsonObject>): number {
  let added = 0;
  for (const [name, value] of Object.entries(delta)) {
    const before = into[name];
    if (value === null || value === undefined) {
      into[name] ??= value;
    } else if (typeof value === 'string') {
      into[name] = typeof before === 'string' && !CONSTANT.has(name) ? before + value : value;
      added += value.length;
    } else if (Array.isArray(value)) {
      const list: unknown[] = Array.isArray(before) ? before : [];
      into[name] = list;
      for (const entry of value) added += mergeEntry(list, entry);
    } else if (isObject(value)) {
      const object: JsonObject = isObject(before) ? before : {};
      into[name] = object;
      added += merge(object, value);
    } else {
      into[name] = value;
    }
    added += name.length;
  }
  return added;
}

function mergeEntry(list: unknown[], entry: unknown): number {
  if (!isObject(entry) || typeof entry.index !== 'number') {
    list.push(entry);
    return JSON.stringify(entry).length;
  }
  const { index, ...fields } = entry;
  const before = list[entry.index];
  const object: JsonObject = isObject(before) ? before : {};
  list[entry.index] = object;
  return merge(object, fields);
}

/** The answer for another call: its ids and times are new, its text and usage are the stored ones. */
export function answersFor(stored: CachedAnswer, call: AnsweredCall, native: (text: string) => string): Answer[] {
  const { id, created, modelName: model } = call;
  const head = { id, created, model };
  const [first] = stored.parts;
  if (stored.form === 'stream') {
    return (stored.parts as readonly ChatCompletionChunk[]).map((chunk) => {
      const { nativeEvents: events } = chunk;
      return { ...chunk, ...head, ...(events && { nativeEvents: { ...events, text: native(events.text) } }) };
    });
  }
  const completion: ChatCompletion = { ...(first as ChatCompletion), ...head };
  if (stored.usage) completion.usage = stored.usage;
  if (completion.nativeText !== undefined) completion.nativeText = native(completion.nativeText);
  return call.isStream ? chunksOf(completion, call.includesUsage) : [completion];
}

/** A whole answer as a stream: a chunk with the message of each choice, and one with its finish reason. */
function chunksOf(completion: ChatCompletion, includesUsage: boolean): ChatCompletionChunk[] {
  const { choices, usage, object: _, ...head } = completion;
  const chunk = { ...head, object: 'chat.completion.chunk' as const };
  const chunks = choices.flatMap(({ index, message, finish_reason, logprobs, stop_reason }) => [
    { ...chunk, choices: [{ index, delta: deltaOf(message), finish_reason: null, logprobs }] },
    { ...chunk, choices: [{ index, delta: {}, finish_reason, logprobs: null, ...(stop_reason && { stop_reason }) }] },
  ]);
  return includesUsage && usage ? [...chunks, { ...chunk, choices: [], usage }] : chunks;
}

function deltaOf({ tool_calls: calls, ...message }: ChatResponseMessage): ChatDelta {
  return { ...message, ...(calls && { tool_calls: calls.map((call, index) => ({ index, ...call })) }) };
}
