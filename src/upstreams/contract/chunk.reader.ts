import { Observable, type OperatorFunction, Subscriber } from 'rxjs';
import type {
  ChatChunkChoice,
  ChatCompletionChunk,
  ChatDelta,
  CompletionUsage,
  FinishReason,
  ToolCallDelta,
  UsageSoFar,
} from './chat.types.js';
import { chunkOf } from './envelope.js';
import { type JsonObject, textOf } from './json.js';
import type { ProviderCall, UpstreamEvent } from './provider.adapter.js';

/** What has been told of one choice: its role goes out first, its finish reason once. */
export class ToldChoice {
  started = false;
  finished = false;

  constructor(readonly index: number) {}

  next(delta: ChatDelta, finish: FinishReason | null = null): ChatChunkChoice {
    const told: ChatDelta = this.started ? delta : { role: 'assistant', ...delta };
    const reason = this.finished ? null : finish;
    this.started = true;
    this.finished ||= reason !== null;
    return { index: this.index, delta: told, finish_reason: reason };
  }
}

/** Reads the events of one stream, and emits chunks while it does; the usage is told once, when the stream has ended. */
export abstract class ChunkReader {
  protected usage: CompletionUsage | undefined;

  constructor(
    protected readonly call: ProviderCall,
    protected readonly emit: (chunk: ChatCompletionChunk) => void,
  ) {}

  /** True at the API's own end mark: nothing behind it is read. Throws what the upstream reports. */
  abstract read(event: UpstreamEvent): boolean;

  /** What usage was told by now; what was told in the middle of the stream is as old as the last event with usage. */
  usageSoFar(): UsageSoFar | undefined {
    return this.usage;
  }

  /** The stream has ended, with its end mark or without. */
  close(): void {
    this.end();
    if (this.usage) this.emit({ ...chunkOf(this.call, []), usage: this.usage });
  }

  /** Tells what is known only at the end. */
  protected end(): void {}
}

type ToolCallType = NonNullable<ToolCallDelta['type']>;

/** Reads the stream of an API that answers with one choice. */
export abstract class SingleChoiceReader extends ChunkReader {
  protected readonly choice = new ToldChoice(0);
  /** How many have begun. */
  protected toolCalls = 0;

  protected tell(delta: ChatDelta, finish?: FinishReason, logprobs?: JsonObject | null): ChatCompletionChunk {
    const choice = this.choice.next(delta, finish);
    if (logprobs) choice.logprobs = logprobs;
    const chunk = chunkOf(this.call, [choice]);
    this.emit(chunk);
    return chunk;
  }

  /** Begins a tool call: its id and name are told here alone. `carried`: its further fields. Returns its index. */
  protected beginCall(id: unknown, name: string, carried: JsonObject, type: ToolCallType = 'function'): number {
    const index = this.toolCalls++;
    const called = type === 'custom' ? { name, input: '' } : { name, arguments: '' };
    this.tell({ tool_calls: [{ index, id: textOf(id) ?? '', type, [type]: called, ...carried }] });
    return index;
  }

  protected tellArguments(index: number, text: string, type: ToolCallType = 'function'): void {
    const called = type === 'custom' ? { custom: { input: text } } : { function: { arguments: text } };
    this.tell({ tool_calls: [{ index, ...called }] });
  }

  /** Thoughts, if there are any; returns what was told. */
  protected tellThought(thought: unknown): string {
    const text = textOf(thought) ?? '';
    if (text !== '') this.tell({ reasoning_content: text });
    return text;
  }
}

type CreateReader = (call: ProviderCall, emit: (chunk: ChatCompletionChunk) => void) => ChunkReader;

/** Makes an adapter's `fromStream` of its reader; each subscription has a reader of its own. */
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
  private pieces = 0;
  private told: UsageSoFar | undefined;
  /** How many pieces had come when that was told. */
  private toldAt = 0;

  constructor(
    private readonly chunks: Subscriber<ChatCompletionChunk>,
    call: ProviderCall,
    createReader: CreateReader,
  ) {
    super(chunks);
    this.reader = createReader(call, (chunk) => {
      this.pieces++;
      chunks.next(chunk);
    });
    if (call.watch) call.watch.usageSoFar = () => this.usageSoFar();
  }

  protected override _next(event: UpstreamEvent): void {
    try {
      const isOver = this.reader.read(event);
      const told = this.reader.usageSoFar();
      if (told !== this.told) {
        this.told = told;
        this.toldAt = this.pieces;
      }
      if (isOver) this._complete();
    } catch (error) {
      this.chunks.error(error);
    }
  }

  /** The count of an answer that went on is out of date. */
  private usageSoFar(): UsageSoFar | undefined {
    if (this.told === undefined || this.toldAt === this.pieces) return this.told;
    const { prompt_tokens, prompt_tokens_details } = this.told;
    return { prompt_tokens, ...(prompt_tokens_details && { prompt_tokens_details }) };
  }

  protected override _complete(): void {
    try {
      this.reader.close();
    } catch (error) {
      this.chunks.error(error);
    }
    this.chunks.complete();
  }
}
