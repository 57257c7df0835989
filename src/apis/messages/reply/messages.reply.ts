import type { GatewayError } from '../../../common/gateway.error.js';
import { endOfId } from '../../../common/ids.js';
import type { Reply, ReplyCall } from '../../../completions/formats/call-format.js';
import { anthropicErrorText } from '../../../http/error-format.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  CompletionUsage,
  FinishReason,
} from '../../../upstreams/contract/chat.types.js';
import { AnswerBlocks, type AnswerSettings } from './answer-blocks.js';
import { BlockEvents, BlockList, eventText } from './block.list.js';

/** Writes an answer in Anthropic's Messages format, as JSON or as events. */
export class MessagesReply implements Reply {
  readonly heartbeat = eventText('ping', {});
  private readonly events = new BlockEvents();
  private readonly blocks: AnswerBlocks;
  private hasStarted = false;
  private hasRefused = false;
  private finish: FinishReason = 'stop';
  private stopSequence: string | undefined;
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
    const rest = { ...stopOf(reason, choice?.stop_reason), usage: this.usageOf(completion.usage) };
    return `${JSON.stringify(head).slice(0, -1)},"content":${list.json},${JSON.stringify(rest).slice(1)}`;
  }

  next(chunk: ChatCompletionChunk): string {
    this.isNative ||= chunk.nativeEvents !== undefined;
    if (this.isNative) return chunk.nativeEvents?.text ?? '';
    if (!this.hasStarted) this.start(chunk.model);
    for (const { index, delta, finish_reason: finish, stop_reason: stopSequence } of chunk.choices) {
      if (index !== 0) continue;
      this.blocks.read(delta);
      this.hasRefused ||= Boolean(delta.refusal);
      if (finish === null) continue;
      this.finish = finish;
      this.stopSequence = stopSequence;
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
    this.events.event('message_delta', { delta: stopOf(reason, this.stopSequence), usage: this.usageOf(this.usage) });
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

/** From the inner form to the client. The other direction is in `upstreams/providers/anthropic/response.ts`. */
const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'end_turn',
  content_filter: 'refusal',
  function_call: 'end_turn',
};

/**
 * An answer with tool calls has `tool_use`, as agents continue only then, whatever word the upstream finished with. An
 * answer that was cut never has: its last call may be half a command.
 */
function stopReason(finish: FinishReason, hasToolCalls: boolean, hasRefused: boolean): string {
  if (finish === 'length' || finish === 'content_filter') return REASONS[finish];
  if (hasToolCalls) return 'tool_use';
  return hasRefused ? 'refusal' : REASONS[finish];
}

/** `sequence`: the stop sequence that ended the answer, if it is known. */
function stopOf(reason: string, sequence: string | undefined) {
  if (sequence === undefined || reason !== 'end_turn') return { stop_reason: reason, stop_sequence: null };
  return { stop_reason: 'stop_sequence', stop_sequence: sequence };
}

/** Usage with the API's names. `input_tokens` excludes tokens that were read from or written to a cache. */
function toMessagesUsage({ prompt_tokens, prompt_tokens_details, completion_tokens }: CompletionUsage) {
  const { cached_tokens: read = 0, cache_write_tokens: written = 0 } = prompt_tokens_details ?? {};
  return {
    input_tokens: Math.max(prompt_tokens - read - written, 0),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: completion_tokens,
  };
}

/** Used until the upstream reports its usage. */
function estimatedUsage(inputTokens: number) {
  return toMessagesUsage({ prompt_tokens: inputTokens, completion_tokens: 0, total_tokens: inputTokens });
}
