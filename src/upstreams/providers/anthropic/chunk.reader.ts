import { parseExactly } from '../../../json/exact-json.js';
import type { ChatCompletionChunk, UsageSoFar } from '../../contract/chat.types.js';
import { SingleChoiceReader } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, listOf, objectsOf, textOf } from '../../contract/json.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { claudeAnswerTool } from '../shared/claude-format.js';
import { signedThought, type Thought, withThoughts } from '../shared/claude-thoughts.js';
import { eventData } from '../shared/event-data.js';
import { TextFrame } from '../shared/text-frame/text-frame.js';
import { toAnnotations } from './citations.js';
import { reportedFailure } from './failure.js';
import { refusalText, toFinishReason } from './finish-reason.js';
import { mergedCounts, promptUsage, toUsage } from './usage.js';

/** A content block that has started but not ended. */
type OpenBlock =
  | { type: 'text'; start: number; citations: unknown[] }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'tool_use'; index: number; input: unknown; written: boolean }
  /** A call of the answer tool, whose input is the content. */
  | { type: 'answer'; input: unknown; written: boolean };

/** Each text block needs its own frame, as events contain their block's index. */
const FRAMES_TRIED = 20;

const OWN_EVENT = /^(?:|message|error|message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/;
const isOwn = (event: string) => OWN_EVENT.test(event);

/**
 * Reads one message, whose content blocks arrive one after the other. Blocks of server tools and of unknown types are
 * skipped. Tool calls are counted separately from blocks.
 */
export class AnthropicChunkReader extends SingleChoiceReader {
  private readonly blocks = new Map<unknown, OpenBlock>();
  private counts: JsonObject = {};
  /** Signed reasoning that no tool call carries yet. */
  private thoughts: Thought[] = [];
  /** The usage at the message's start, which is not emitted for a truncated stream, as it has no output. */
  private ofPrompt: UsageSoFar | undefined;
  private frame: TextFrame | undefined;
  private framesTried = 0;
  /** The name of the answer tool, if there is one. */
  private readonly answer = claudeAnswerTool(this.call)?.name;
  private answered = false;
  /** Text before the answer tool's call. It is the answer if the tool is not called. */
  private heldText = '';

  read(event: UpstreamEvent): boolean {
    const framed = this.frame?.read(event);
    if (framed) {
      this.textLength += framed.choices[0]?.delta.content?.length ?? 0;
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
        if (isObject(body.message)) this.counts = mergedCounts(this.counts, body.message.usage);
        if (countOf(this.counts.input_tokens) !== undefined) this.ofPrompt = promptUsage(this.counts);
        if (!this.choice.started) this.emitDelta({ content: '' });
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

  /** Reads a whole message. */
  readWhole(message: JsonObject): void {
    objectsOf(message.content).forEach((block, index) => {
      this.openBlock(index, block);
      this.closeBlock(index);
    });
    this.finish(message);
    this.usage = toUsage(message.usage);
  }

  override usageSoFar(): UsageSoFar | undefined {
    return this.usage ?? this.ofPrompt;
  }

  private openBlock(index: unknown, block: JsonObject): void {
    if (block.type === 'text') {
      this.blocks.set(index, { type: 'text', start: this.position, citations: [...listOf(block.citations)] });
      this.sendText(block.text);
    } else if (block.type === 'tool_use' && this.answer !== undefined && block.name === this.answer) {
      if (!this.answered) this.blocks.set(index, { type: 'answer', input: block.input, written: false });
      this.answered = true;
    } else if (block.type === 'tool_use') {
      this.openToolCall(index, block);
    } else if (block.type === 'redacted_thinking') {
      this.thoughts.push(...signedThought(block));
    } else if (block.type === 'thinking') {
      const thinking = this.emitReasoning(block.thinking);
      this.blocks.set(index, { type: 'thinking', thinking, signature: textOf(block.signature) ?? '' });
    }
  }

  private openToolCall(blockIndex: unknown, { id, name, input }: JsonObject): void {
    const index = this.beginCall(id, textOf(name) ?? '', withThoughts(this.thoughts));
    this.blocks.set(blockIndex, { type: 'tool_use', index, input, written: false });
    this.thoughts = [];
  }

  private readDelta(delta: JsonObject, block: OpenBlock | undefined, event: UpstreamEvent): void {
    if (delta.type === 'text_delta') {
      const isFirst = !this.choice.started;
      const chunk = this.sendText(delta.text);
      if (chunk && !isFirst) this.learnFrame(event, chunk);
    } else if (delta.type === 'thinking_delta') {
      const thinking = this.emitReasoning(delta.thinking);
      if (block?.type === 'thinking') block.thinking += thinking;
    } else if (delta.type === 'input_json_delta' && (block?.type === 'tool_use' || block?.type === 'answer')) {
      const written = textOf(delta.partial_json);
      if (written === undefined) return;
      block.written ||= block.type === 'tool_use' || written !== '';
      this.emitInput(block, written);
    } else if (delta.type === 'signature_delta' && block?.type === 'thinking') {
      block.signature += textOf(delta.signature) ?? '';
    } else if (delta.type === 'citations_delta' && block?.type === 'text') {
      block.citations.push(delta.citation);
    }
  }

  /** If a tool call streamed no arguments, they are in its start event. */
  private closeBlock(index: unknown): void {
    const block = this.blocks.get(index);
    this.blocks.delete(index);
    if ((block?.type === 'tool_use' || block?.type === 'answer') && !block.written) {
      this.emitInput(block, JSON.stringify(block.input ?? {}));
    } else if (block?.type === 'thinking') {
      this.thoughts.push(...signedThought({ ...block }));
    } else if (block?.type === 'text') {
      this.annotations.push(...toAnnotations(block.citations, block.start, this.position));
    }
  }

  private readMessageDelta({ delta, usage }: JsonObject): void {
    if (isObject(usage)) {
      this.counts = mergedCounts(this.counts, usage);
      this.usage = toUsage(this.counts);
    }
    if (!isObject(delta) || typeof delta.stop_reason !== 'string' || this.choice.finished) return;
    this.finish(delta);
  }

  private finish({ stop_reason: reason, stop_details: details }: JsonObject): void {
    for (const index of [...this.blocks.keys()]) this.closeBlock(index);
    if (!this.answered && this.heldText !== '') this.emitText(this.heldText);
    const refusal = refusalText(details);
    this.emitFinish(toFinishReason(reason, this.toolCalls > 0), refusal === null ? {} : { refusal });
  }

  private learnFrame(event: UpstreamEvent, chunk: ChatCompletionChunk): void {
    if (this.framesTried === FRAMES_TRIED) return;
    this.framesTried++;
    this.frame = TextFrame.of(event, chunk, textIn);
  }

  private sendText(text: unknown): ChatCompletionChunk | undefined {
    if (typeof text !== 'string' || text === '') return undefined;
    if (this.answer === undefined) return this.emitText(text);
    this.heldText += text;
    return undefined;
  }

  /** In the content, to which held text will belong. */
  private get position(): number {
    return this.textLength + this.heldText.length;
  }

  private emitInput(block: Extract<OpenBlock, { written: boolean }>, text: string): void {
    if (block.type === 'tool_use') this.emitArguments(block.index, text);
    else if (text !== '') this.emitText(text);
  }
}

function textIn(body: unknown): unknown {
  return (body as { delta?: { text?: unknown } }).delta?.text;
}
