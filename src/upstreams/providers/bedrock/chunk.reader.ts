import { SingleChoiceReader } from '../../contract/chunk.reader.js';
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { signedThought, type Thought, withThoughts } from '../shared/claude-thoughts.js';
import { eventData } from '../shared/event-data.js';
import { toolCallLimit } from '../shared/request-fields.js';
import { toAnnotations } from './citations.js';
import { isReport, reportedFailure } from './failure.js';
import { toFinishReason } from './finish-reason.js';
import { answerTool } from './output-format.js';
import { toUsage } from './usage.js';

/** The tool call of an open content block. */
interface OpenCall {
  readonly index: number;
  hasArguments: boolean;
}

const EVENTS = new Set(['contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop', 'metadata']);
const isOwn = (event: string) => EVENTS.has(event);

/**
 * Reads a ConverseStream. Nothing is emitted before the model's first output, so that earlier failures can be retried.
 * Usage follows the finish reason, in the last event.
 */
export class BedrockChunkReader extends SingleChoiceReader {
  /** Blocks arrive one after the other. */
  private open: OpenCall | undefined;
  /** The name of the answer tool, if there is one. */
  private readonly answer = answerTool(this.call)?.name;
  private answering = false;
  private answered = false;
  /** Text before the answer tool's call. It is the answer if the tool is not called. */
  private heldText = '';
  private thought = { thinking: '', signature: '', data: '' };
  private blockStart = 0;
  private citations: unknown[] = [];
  /** Reasoning before the next tool call. */
  private thoughts: Thought[] = [];
  private readonly callLimit = clientsCallLimit(this.call);

  read(event: UpstreamEvent): boolean {
    if (isReport(event)) throw reportedFailure(event, this.call);
    const data = isOwn(event.event) ? eventData(event, isOwn) : undefined;
    if (!data) return false;
    switch (event.event) {
      case 'contentBlockStart':
        this.startBlock(objectOf(data.start));
        return false;
      case 'contentBlockDelta':
        if (isObject(data.delta)) this.readDelta(data.delta);
        return false;
      case 'contentBlockStop':
        this.endBlock();
        return false;
      case 'messageStop':
        this.finish(data.stopReason);
        return false;
      default:
        this.usage = toUsage(data.usage) ?? this.usage;
        return this.choice.finished;
    }
  }

  /** Reads a whole answer, whose blocks have the fields of the deltas in a stream. */
  readWhole({ stopReason, usage }: JsonObject, content: unknown): void {
    for (const block of objectsOf(content)) {
      this.startBlock(block);
      this.readBlock(block);
      this.endBlock();
    }
    this.finish(stopReason);
    this.usage = toUsage(usage);
  }

  private readBlock({ text, toolUse, reasoningContent: thought, citationsContent: cited }: JsonObject): void {
    this.readDelta({ text });
    if (isObject(toolUse)) this.readDelta({ toolUse: { input: JSON.stringify(toolUse.input ?? {}) } });
    if (isObject(thought)) this.readThought({ ...objectOf(thought.reasoningText), ...thought });
    const { content, citations } = objectOf(cited);
    for (const said of objectsOf(content)) this.readDelta({ text: said.text });
    this.citations.push(...objectsOf(citations));
  }

  private startBlock({ toolUse }: JsonObject): void {
    this.open = undefined;
    if (!isObject(toolUse) || !isClientsTool(toolUse)) return;
    if (this.answer !== undefined && toolUse.name === this.answer) {
      this.answering = !this.answered;
      this.answered = true;
      return;
    }
    if (this.toolCalls >= this.callLimit) return;
    const { toolUseId, name } = toolUse;
    this.open = {
      index: this.beginCall(toolUseId, textOf(name) ?? '', withThoughts(this.thoughts)),
      hasArguments: false,
    };
    this.thoughts = [];
  }

  private readDelta({ text, toolUse, reasoningContent, citation }: JsonObject): void {
    if (typeof text === 'string' && text !== '') {
      if (this.answer === undefined) this.emitText(text);
      else this.heldText += text;
    }
    if (isObject(toolUse)) {
      const piece = textOf(toolUse.input);
      if (piece !== undefined && this.answering) this.emitText(piece);
      if (piece === undefined || !this.open) return;
      this.open.hasArguments = true;
      this.emitArguments(this.open.index, piece);
    }
    if (isObject(reasoningContent)) this.readThought(reasoningContent);
    if (citation !== undefined) this.citations.push(citation);
  }

  private readThought({ text, signature, redactedContent }: JsonObject): void {
    this.thought.thinking += this.emitReasoning(text);
    this.thought.signature += textOf(signature) ?? '';
    this.thought.data += textOf(redactedContent) ?? '';
  }

  private endBlock(): void {
    if (this.open && !this.open.hasArguments) this.emitArguments(this.open.index, '{}');
    this.open = undefined;
    this.answering = false;

    this.thoughts.push(...signedThought({ type: 'thinking', ...this.thought }));
    this.thoughts.push(...signedThought({ type: 'redacted_thinking', ...this.thought }));
    this.thought = { thinking: '', signature: '', data: '' };

    for (const citation of this.citations) {
      this.annotations.push(...toAnnotations(citation, this.blockStart, this.position));
    }
    this.citations = [];
    this.blockStart = this.position;
  }

  /** In the content, to which held text will belong. */
  private get position(): number {
    return this.textLength + this.heldText.length;
  }

  private finish(stopReason: unknown): void {
    if (this.choice.finished) return;
    const reason = toFinishReason(stopReason, this.toolCalls > 0);
    if (!this.answered && this.heldText !== '') this.emitText(this.heldText);
    this.emitFinish(reason);
  }
}

/** The number of tool calls to pass on, as requests cannot limit them. */
function clientsCallLimit({ request }: ProviderCall): number {
  return request.tool_choice === 'none' ? 0 : toolCallLimit(request);
}

/** Whether the client runs a tool, and not the upstream. */
function isClientsTool({ type }: JsonObject): boolean {
  return type !== 'server_tool_use';
}
