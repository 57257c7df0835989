import type { GatewayError } from '../../../common/gateway.error.js';
import type { Recalled, Reply, ReplyCall } from '../../../completions/formats/call-format.js';
import type {
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatResponseMessage,
  CompletionUsage,
  FinishReason,
} from '../../../upstreams/contract/chat.types.js';
import { textOf } from '../../../upstreams/contract/json.js';
import { wantsLogprobs } from '../request/chat-request.js';
import type { ToolNames } from '../request/chat-tools.js';
import { includes, type ResponsesRequest } from '../request/responses-request.types.js';
import { NativeReply } from './native.reply.js';
import { EventWriter, errorFields, failureOf, ResponseEnvelope, type ResponseState } from './response.envelope.js';
import { type OutputOptions, ResponseOutput } from './response.output.js';

/**
 * Writes one answer as a response or as its stream of events: `response.created` and `response.in_progress`, the events
 * of each item, and at the end `response.completed`, `response.incomplete` or `response.failed`.
 */
export class ResponsesReply implements Reply {
  readonly heartbeat = ': ping\n\n';
  private readonly events = new EventWriter();
  private readonly native: NativeReply;
  private readonly envelope: ResponseEnvelope;
  private readonly options: OutputOptions;
  private readonly output: ResponseOutput;
  private hasBegun = false;
  private finish: FinishReason | null = null;
  private usage: CompletionUsage | undefined;
  private serviceTier: string | undefined;

  constructor(call: ReplyCall, request: ResponsesRequest, names: ToolNames, recalled: Recalled | null = null) {
    this.native = new NativeReply(recalled);
    this.envelope = new ResponseEnvelope(call, request, recalled);
    this.options = {
      callId: call.id,
      names,
      logprobs: wantsLogprobs(request),
      shown: {
        summary: (request.reasoning?.summary ?? request.reasoning?.generate_summary) != null,
        // A stored answer must have what its provider needs back.
        encrypted: includes(request, 'reasoning.encrypted_content') || (recalled?.sink ?? null) !== null,
      },
    };
    this.output = new ResponseOutput(this.options, this.events);
  }

  whole(completion: ChatCompletion): string {
    if (completion.nativeText !== undefined) return this.native.whole(completion.nativeText);
    this.envelope.model = completion.model;
    const output = new ResponseOutput(this.options, null);
    const [choice] = completion.choices;
    if (choice) output.read({ logprobs: choice.logprobs, delta: deltaOf(choice.message) });
    this.finish = choice?.finish_reason ?? null;
    output.finish(this.finish);
    this.usage = completion.usage;
    this.serviceTier = textOf(completion.service_tier);
    return this.envelope.toJson(this.finalState(output));
  }

  next(chunk: ChatCompletionChunk): string {
    if (chunk.nativeEvents || this.native.hasBegun) return this.native.next(chunk.nativeEvents);
    this.begin(chunk.model);
    const [choice] = chunk.choices;
    if (choice?.index === 0) this.read(choice);
    else if (this.finish) this.output.finish(this.finish);
    if (chunk.usage) this.usage = chunk.usage;
    this.serviceTier ??= textOf(chunk.service_tier);
    return this.events.take();
  }

  end(): string {
    if (this.native.hasBegun) return this.native.end();
    this.begin();
    this.output.finish(this.finish);
    const state = this.finalState(this.output);
    this.write(`response.${state.status}`, state);
    return this.events.take();
  }

  fail(error: GatewayError): string {
    if (this.native.hasBegun) return this.native.fail(error);
    this.begin();
    this.events.write('error', errorFields(error));
    const output = this.output.toJson(true);
    this.write('response.failed', { status: 'failed', output, usage: this.usage, error: failureOf(error) });
    return this.events.take();
  }

  private read(choice: ChatChunkChoice): void {
    this.finish ??= choice.finish_reason;
    this.output.read(choice);
  }

  private begin(model = this.envelope.model): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.envelope.model = model;
    const state = { status: 'in_progress', output: [] } as const;
    this.write('response.created', state);
    this.write('response.in_progress', state);
  }

  private write(type: string, state: ResponseState): void {
    this.events.write(type, `"response":${this.envelope.toJson(state)}`);
  }

  private finalState(output: ResponseOutput): ResponseState {
    const { finish, usage, serviceTier } = this;
    const common = { output: output.toJson(), usage, serviceTier };
    if (finish === 'length') return { ...common, status: 'incomplete', incompleteReason: 'max_output_tokens' };
    if (finish === 'content_filter') return { ...common, status: 'incomplete', incompleteReason: 'content_filter' };
    return { ...common, status: 'completed' };
  }
}

/** A whole message as the only delta of its choice. */
function deltaOf({ tool_calls: calls, function_call: _, ...message }: ChatResponseMessage): ChatChunkChoice['delta'] {
  return { ...message, ...(calls && { tool_calls: calls.map((call, index) => ({ ...call, index })) }) };
}
