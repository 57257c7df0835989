import type { ChatCompletionChunk, ChatDelta, FinishReason } from '../../contract/chat.types.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import type { ChunkReader } from '../chunk-stream.js';
import { eventData } from '../event-data.js';
import { parseExactly } from '../exact-json.js';
import { TextFrame } from '../text-frame.js';
import { toAnnotations } from './citations.js';
import { reportedFailure } from './failure.js';
import { toFinishReason } from './finish-reason.js';
import { refusalText } from './refusal-text.js';
import { signedThought, withThoughts } from './signed-thoughts.js';
import { UsageCounts } from './usage.js';

/** A content block that has begun and not ended. */
type OpenBlock =
  | { type: 'text'; start: number; citations: unknown[] }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; index: number; input: unknown; written: boolean };

/** A block of text each, since the events name theirs. */
const FRAMES_TRIED = 20;

const OWN_EVENT = /^(?:|message|error|message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/;
const isOwn = (event: string) => OWN_EVENT.test(event);

/**
 * Reads the stream of one call: a message whose content blocks come one after the other. Blocks of server tools, and of
 * kinds that are not known, are passed over; tool calls are counted apart from the blocks.
 */
export class AnthropicChunkReader implements ChunkReader {
  private readonly blocks = new Map<unknown, OpenBlock>();
  private readonly usage = new UsageCounts();
  private readonly annotations: JsonObject[] = [];
  /** Signed thoughts that no tool call carries yet. */
  private thoughts: JsonObject[] = [];
  private toolCalls = 0;
  private contentLength = 0;
  private started = false;
  private counted = false;
  private finished = false;
  private frame: TextFrame | undefined;
  private framesTried = 0;

  constructor(
    private readonly call: ProviderCall,
    private readonly emit: (chunk: ChatCompletionChunk) => void,
  ) {}

  read(event: UpstreamEvent): boolean {
    const framed = this.frame?.read(event);
    if (framed) {
      this.contentLength += framed.choices[0]?.delta.content?.length ?? 0;
      this.emit(framed);
      return false;
    }
    const parse = event.event === 'content_block_start' ? parseExactly : JSON.parse;
    const body = eventData(event, isOwn, parse);
    if (body === undefined) return false;
    switch (body.type) {
      case 'content_block_delta':
        if (isObject(body.delta)) this.readDelta(body.delta, this.blocks.get(body.index), event);
        return false;
      case 'content_block_start':
        if (isObject(body.content_block)) this.openBlock(body.index, body.content_block);
        return false;
      case 'content_block_stop':
        this.closeBlock(body.index);
        return false;
      case 'message_start':
        if (isObject(body.message)) this.usage.read(body.message.usage);
        if (!this.started) this.send({ content: '' });
        return false;
      case 'message_delta':
        this.readMessageDelta(body);
        return false;
      case 'message_stop':
        return true;
      case 'error':
        throw reportedFailure(body, this.call);
      default:
        return false;
    }
  }

  /** The counts at a message's start leave out what it says, so those of a stream that breaks off are not told. */
  end(): void {
    const usage = this.counted ? this.usage.total() : undefined;
    if (usage) this.emit({ ...this.chunkOf([]), usage });
  }

  private openBlock(index: unknown, block: JsonObject): void {
    if (block.type === 'text') {
      this.blocks.set(index, { type: 'text', start: this.contentLength, citations: listOf(block.citations) });
      this.sendText(block.text);
    } else if (block.type === 'tool_use') {
      this.openToolCall(index, block);
    } else if (block.type === 'redacted_thinking') {
      this.thoughts.push(...signedThought(block));
    } else if (block.type === 'thinking') {
      const { thinking, signature } = block;
      this.blocks.set(index, {
        type: 'thinking',
        thinking: textOf(thinking) ?? '',
        signature: textOf(signature) ?? '',
      });
      this.sendReasoning(thinking);
    }
  }

  private openToolCall(blockIndex: unknown, { id, name, input }: JsonObject): void {
    const index = this.toolCalls++;
    this.blocks.set(blockIndex, { type: 'tool_use', index, input, written: false });
    const called = { name: textOf(name) ?? '', arguments: '' };
    this.send({
      tool_calls: [{ index, id: textOf(id) ?? '', type: 'function', function: called, ...withThoughts(this.thoughts) }],
    });
    this.thoughts = [];
  }

  private readDelta(delta: JsonObject, block: OpenBlock | undefined, event: UpstreamEvent): void {
    if (delta.type === 'text_delta') {
      const isFirst = !this.started;
      const chunk = this.sendText(delta.text);
      if (chunk && !isFirst) this.learnFrame(event, chunk);
    } else if (delta.type === 'thinking_delta') {
      if (block?.type === 'thinking') block.thinking += textOf(delta.thinking) ?? '';
      this.sendReasoning(delta.thinking);
    } else if (delta.type === 'input_json_delta' && block?.type === 'tool_use') {
      const written = textOf(delta.partial_json);
      if (written === undefined) return;
      block.written = true;
      this.sendArguments(block.index, written);
    } else if (delta.type === 'signature_delta' && block?.type === 'thinking') {
      block.signature += textOf(delta.signature) ?? '';
    } else if (delta.type === 'citations_delta' && block?.type === 'text') {
      block.citations.push(delta.citation);
    }
  }

  /** A tool call that was given no arguments piece by piece has them whole in its beginning. */
  private closeBlock(index: unknown): void {
    const block = this.blocks.get(index);
    this.blocks.delete(index);
    if (block?.type === 'tool_use' && !block.written) {
      this.sendArguments(block.index, JSON.stringify(block.input ?? {}));
    } else if (block?.type === 'thinking') {
      this.thoughts.push(...signedThought({ ...block }));
    } else if (block?.type === 'text') {
      this.annotations.push(...toAnnotations(block.citations, block.start, this.contentLength));
    }
  }

  private readMessageDelta({ delta, usage }: JsonObject): void {
    if (isObject(usage)) {
      this.usage.read(usage);
      this.counted = true;
    }
    if (!isObject(delta) || typeof delta.stop_reason !== 'string' || this.finished) return;
    this.finished = true;
    for (const index of [...this.blocks.keys()]) this.closeBlock(index);
    const refusal = refusalText(delta.stop_details);
    const last: ChatDelta = {};
    if (refusal !== null) last.refusal = refusal;
    // All at once, and once: the SDKs cannot put together a list of annotations that comes in parts.
    if (this.annotations.length > 0) last.annotations = this.annotations;
    this.send(last, toFinishReason(delta.stop_reason, this.toolCalls > 0));
  }

  private learnFrame(event: UpstreamEvent, chunk: ChatCompletionChunk): void {
    if (this.framesTried === FRAMES_TRIED) return;
    this.framesTried++;
    this.frame = TextFrame.of(event, chunk, textIn);
  }

  private sendText(text: unknown): ChatCompletionChunk | undefined {
    if (typeof text !== 'string' || text === '') return undefined;
    this.contentLength += text.length;
    return this.send({ content: text });
  }

  private sendReasoning(thinking: unknown): void {
    if (typeof thinking === 'string' && thinking !== '') this.send({ reasoning_content: thinking });
  }

  private sendArguments(index: number, text: string): void {
    this.send({ tool_calls: [{ index, function: { arguments: text } }] });
  }

  private send(delta: ChatDelta, finish: FinishReason | null = null): ChatCompletionChunk {
    if (!this.started) delta.role = 'assistant';
    this.started = true;
    const chunk = this.chunkOf([{ index: 0, delta, finish_reason: finish }]);
    this.emit(chunk);
    return chunk;
  }

  private chunkOf(choices: ChatCompletionChunk['choices']): ChatCompletionChunk {
    const { id, created, model } = this.call;
    return { id, object: 'chat.completion.chunk', created, model, choices };
  }
}

function textIn(body: unknown): unknown {
  return (body as { delta?: { text?: unknown } }).delta?.text;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? [...value] : [];
}
