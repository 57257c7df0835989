import { Observable, type OperatorFunction, Subscriber } from 'rxjs';
import type {
  ChatChoice,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  CompletionUsage,
  FinishReason,
  ToolCallDelta,
  UsageSoFar,
} from './chat.types.js';
import { type JsonObject, type ReadonlyJsonObject, textOf } from './json.js';
import type { ProviderCall, UpstreamEvent } from './provider.adapter.js';
import { withReported } from './upstream.error.js';

/** The state of one streamed choice: the role is sent first, the finish reason once. */
export class StreamedChoice {
  started = false;
  finished = false;

  constructor(readonly index: number) {}

  next(delta: ChatDelta, finish: FinishReason | null = null): ChatChunkChoice {
    const withRole: ChatDelta = this.started ? delta : { role: 'assistant', ...delta };
    const reason = this.finished ? null : finish;
    this.started = true;
    this.finished ||= reason !== null;
    return { index: this.index, delta: withRole, finish_reason: reason };
  }
}

/** Reads the events of one stream and emits chunks; usage is emitted once, at the end. */
export abstract class ChunkReader {
  protected usage: CompletionUsage | undefined;

  constructor(
    protected readonly call: ProviderCall,
    protected readonly emit: (chunk: ChatCompletionChunk) => void,
  ) {}

  /** True at the API's end marker; later events are not read. Throws errors that the upstream reports. */
  abstract read(event: UpstreamEvent): boolean;

  /** Usage reported so far, as of the last event with usage; each report is a new object. */
  usageSoFar(): UsageSoFar | undefined {
    return this.usage;
  }

  /** Output that was read and is in no chunk so far, as it is held back or not passed on. */
  unread(): string {
    return '';
  }

  /** Whether the answer has ended although no chunk says so yet. */
  get hasEnded(): boolean {
    return false;
  }

  /** Called when the stream has ended, with or without its end marker. */
  close(): void {
    this.end();
    if (this.usage) this.emit({ ...chunkOf(this.call, []), usage: this.usage });
  }

  /** Emits data that is only known at the end. */
  protected end(): void {}
}

type ToolCallType = NonNullable<ToolCallDelta['type']>;

/** Reads the stream of an API that returns a single choice. */
export abstract class SingleChoiceReader extends ChunkReader {
  protected readonly choice = new StreamedChoice(0);
  protected toolCalls = 0;
  /** The length of the text so far. */
  protected textLength = 0;
  /** Sent once, with the finish reason, as SDKs cannot merge lists of annotations. */
  protected readonly annotations: JsonObject[] = [];

  protected emitDelta(delta: ChatDelta, finish?: FinishReason, logprobs?: JsonObject | null): ChatCompletionChunk {
    const choice = this.choice.next(delta, finish);
    if (logprobs) choice.logprobs = logprobs;
    const chunk = chunkOf(this.call, [choice]);
    this.emit(chunk);
    return chunk;
  }

  protected emitText(text: string, logprobs?: JsonObject | null): ChatCompletionChunk {
    this.textLength += text.length;
    return this.emitDelta({ content: text }, undefined, logprobs);
  }

  protected emitFinish(reason: FinishReason, delta: ChatDelta = {}): void {
    this.emitDelta(this.annotations.length > 0 ? { ...delta, annotations: this.annotations } : delta, reason);
  }

  /** Starts a tool call; only its first delta has id and name. `carried`: further fields. Returns its index. */
  protected beginCall(id: unknown, name: string, carried: JsonObject, type: ToolCallType = 'function'): number {
    const index = this.toolCalls++;
    const called = type === 'custom' ? { name, input: '' } : { name, arguments: '' };
    this.emitDelta({ tool_calls: [{ index, id: textOf(id) ?? '', type, [type]: called, ...carried }] });
    return index;
  }

  protected emitArguments(index: number, text: string, type: ToolCallType = 'function'): void {
    const called = type === 'custom' ? { custom: { input: text } } : { function: { arguments: text } };
    this.emitDelta({ tool_calls: [{ index, ...called }] });
  }

  /** Emits reasoning text, if any, and returns it. */
  protected emitReasoning(thought: unknown): string {
    const text = textOf(thought) ?? '';
    if (text !== '') this.emitDelta({ reasoning_content: text });
    return text;
  }
}

export type CreateReader = (call: ProviderCall, emit: (chunk: ChatCompletionChunk) => void) => ChunkReader;

/** Creates an adapter's `fromStream`; each subscription has its own reader. */
export function chunkStream(
  createReader: CreateReader,
): (call: ProviderCall) => OperatorFunction<UpstreamEvent, ChatCompletionChunk> {
  return (call) => (source) =>
    new Observable((chunks) => {
      source.subscribe(new ChunkStream(chunks, call, createReader));
    });
}

class ChunkStream extends Subscriber<UpstreamEvent> {
  private readonly reader: ChunkReader;
  /** The number of chunks with output. */
  private emitted = 0;
  private reported: UsageSoFar | undefined;
  /** `emitted` when the usage was reported. */
  private reportedAt = 0;
  /** Whether a finish reason came. */
  private isFinished = false;
  /** Whether the stream has ended without a report of all its output. */
  private isUncounted = false;

  constructor(
    private readonly chunks: Subscriber<ChatCompletionChunk>,
    call: ProviderCall,
    createReader: CreateReader,
  ) {
    super(chunks);
    this.reader = createReader(call, (chunk) => {
      if (hasOutput(chunk)) this.emitted++;
      if (chunk.choices[0]?.finish_reason) this.isFinished = true;
      if (this.isUncounted && chunk.usage) return;
      chunks.next(chunk);
    });
    if (!call.watch) return;
    call.watch.usageSoFar = () => this.usageSoFar();
    call.watch.unread = () => this.reader.unread();
  }

  protected override _next(event: UpstreamEvent): void {
    try {
      const isOver = this.reader.read(event);
      this.noteReport();
      if (isOver) this._complete();
    } catch (error) {
      this.noteReport();
      this.fail(error);
    }
  }

  private noteReport(): void {
    const reported = this.reader.usageSoFar();
    if (reported === this.reported) return;
    this.reported = reported;
    this.reportedAt = this.emitted;
  }

  /** A connection that breaks in the middle is the upstream's failure, whatever was reported by then. */
  protected override _error(error: unknown): void {
    if (this.isFinished || this.reader.hasEnded) this.fail(error);
    else this.chunks.error(error);
  }

  /** The usage of an answer that was counted to its end is charged, whatever follows. */
  private fail(error: unknown): void {
    const reported = () => {
      const usage = this.usageSoFar();
      return usage && isWhole(usage) ? usage : undefined;
    };
    this.chunks.error(withReported(error, reported));
  }

  /** Without the number of output tokens if more output came after it was reported. */
  private usageSoFar(): UsageSoFar | undefined {
    if (this.reported === undefined || this.reportedAt === this.emitted) return this.reported;
    return withoutOutput(this.reported);
  }

  protected override _complete(): void {
    this.isUncounted = this.reported !== undefined && this.reportedAt !== this.emitted;
    try {
      this.reader.close();
    } catch (error) {
      this.fail(error);
    }
    this.chunks.complete();
  }
}

function hasOutput({ choices, nativeEvents }: ChatCompletionChunk): boolean {
  for (const { delta } of choices) {
    const { content, reasoning_content, refusal, tool_calls, function_call, audio, images } = delta;
    if (content || reasoning_content || refusal || tool_calls || function_call || audio || images) return true;
  }
  return nativeEvents?.unread !== undefined;
}

function isWhole(usage: UsageSoFar): usage is CompletionUsage {
  return 'total_tokens' in usage && usage.completion_tokens !== undefined;
}

/** For a report after which more output came, or that left out a part of it. */
export function withoutOutput({ prompt_tokens, prompt_tokens_details, ...output }: UsageSoFar): UsageSoFar {
  const least = output.completion_tokens ?? output.least_completion_tokens ?? 0;
  return {
    prompt_tokens,
    ...(prompt_tokens_details && { prompt_tokens_details }),
    ...(output.readings !== undefined && { readings: output.readings }),
    ...(least > 0 && { least_completion_tokens: least }),
  };
}

export function chunkOf({ id, created, model }: ProviderCall, choices: ChatChunkChoice[]): ChatCompletionChunk {
  return { id, object: 'chat.completion.chunk', created, model, choices };
}

export function completionOf(
  { id, created, model }: ProviderCall,
  choices: ChatChoice[],
  usage?: CompletionUsage,
): ChatCompletion {
  return { id, object: 'chat.completion', created, model, choices, ...(usage && { usage }) };
}

/** Tells the call's watch which model and which service tier served, where the upstream names them. */
export function noteServed({ watch }: ProviderCall, { model, service_tier: tier }: ReadonlyJsonObject): void {
  if (watch === undefined) return;
  if (typeof model === 'string' && STORABLE.test(model)) watch.servedModel = model;
  if (typeof tier === 'string' && STORABLE.test(tier)) watch.servedTier = tier;
}

/** Without what the ledger cannot store: U+0000 and halves of characters. */
const STORABLE = /^[^\p{Cc}\p{Cs}]{1,500}$/u;

/** Tells the call's watch the id of a native answer. */
export function noteAnswerId({ watch }: ProviderCall, id: unknown): void {
  if (watch && typeof id === 'string' && ANSWER_ID.test(id)) watch.answerId = id;
}

const ANSWER_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * Tells the call's watch that the provider has called these tools. Each kind of entries in which calls show has its own
 * `counts`; the largest count is believed.
 */
export function noteHostedCalls(
  { watch }: ProviderCall,
  tools: readonly string[],
  counts: Map<string, number> = new Map(),
): void {
  if (!watch) return;
  watch.hostedCalls ??= new Map();
  for (const tool of tools) {
    const count = (counts.get(tool) ?? 0) + 1;
    counts.set(tool, count);
    watch.hostedCalls.set(tool, Math.max(count, watch.hostedCalls.get(tool) ?? 0));
  }
}
