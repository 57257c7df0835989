import { endOfId } from '../../../common/completion-id.js';
import type { GatewayError } from '../../../common/gateway.error.js';
import type { Reply, ReplyCall } from '../../../completions/formats/call-format.js';
import { anthropicErrorText } from '../../../http/anthropic-error.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  CompletionUsage,
  FinishReason,
} from '../../../upstreams/contract/chat.types.js';
import { AnswerBlocks, type AnswerSettings } from './answer-blocks.js';
import { BlockEvents, eventText } from './block.events.js';
import { BlockList } from './block.list.js';
import { stopReason } from './stop-reason.js';
import { estimatedUsage, toMessagesUsage } from './usage.js';

/** Writes an answer in Anthropic's Messages format, as JSON or as events. */
export class MessagesReply implements Reply {
  readonly heartbeat = eventText('ping', {});
  private readonly events = new BlockEvents();
  private readonly blocks: AnswerBlocks;
  private hasStarted = false;
  private hasRefused = false;
  private finish: FinishReason = 'stop';
  private usage: CompletionUsage | undefined;
  private isNative = false;

  constructor(
    private readonly call: ReplyCall,
    private readonly settings: AnswerSettings,
  ) {
    this.blocks = new AnswerBlocks(this.events, settings);
  }

  whole(completion: ChatCompletion): string {
    if (completion.nativeText !== undefined) return completion.nativeText;
    const list = new BlockList();
    const blocks = new AnswerBlocks(list, this.settings);
    const [choice] = completion.choices;
    if (choice) blocks.read(choice.message);
    blocks.end();
    const reason = stopReason(choice?.finish_reason ?? 'stop', blocks.hasToolCalls, Boolean(choice?.message.refusal));
    const { content: _, ...head } = this.message(completion.model);
    const rest = { stop_reason: reason, stop_sequence: null, usage: this.usageOf(completion.usage) };
    return `${JSON.stringify(head).slice(0, -1)},"content":${list.json},${JSON.stringify(rest).slice(1)}`;
  }

  next(chunk: ChatCompletionChunk): string {
    this.isNative ||= chunk.nativeEvents !== undefined;
    if (this.isNative) return chunk.nativeEvents?.text ?? '';
    if (!this.hasStarted) this.start(chunk.model);
    for (const { index, delta, finish_reason: finish } of chunk.choices) {
      if (index !== 0) continue;
      this.blocks.read(delta);
      this.hasRefused ||= Boolean(delta.refusal);
      if (finish === null) continue;
      this.finish = finish;
      this.blocks.end();
    }
    if (chunk.usage) this.usage = chunk.usage;
    return this.events.take();
  }

  end(): string {
    if (this.isNative) return '';
    if (!this.hasStarted) this.start(this.call.request.model);
    this.blocks.end();
    const reason = stopReason(this.finish, this.blocks.hasToolCalls, this.hasRefused);
    const delta = { stop_reason: reason, stop_sequence: null };
    this.events.event('message_delta', { delta, usage: this.usageOf(this.usage) });
    this.events.event('message_stop', {});
    return this.events.take();
  }

  fail(error: GatewayError): string {
    return `event: error\ndata: ${anthropicErrorText(error, `req_${endOfId(this.call.id)}`)}\n\n`;
  }

  private start(model: string): void {
    this.hasStarted = true;
    const usage = estimatedUsage(this.call.estimatedInputTokens);
    const message = { ...this.message(model), stop_reason: null, stop_sequence: null, usage };
    this.events.event('message_start', { message });
  }

  /** `model`: the model that answers; after a fallback it differs from the requested one. */
  private message(model: string) {
    return { id: `msg_${endOfId(this.call.id)}`, type: 'message', role: 'assistant', model, content: [] };
  }

  private usageOf(usage: CompletionUsage | undefined) {
    return usage ? toMessagesUsage(usage) : estimatedUsage(this.call.estimatedInputTokens);
  }
}
