import type { GatewayError } from '../../../common/gateway.error.js';
import { endOfId } from '../../../common/ids.js';
import type { Recalled, ReplyCall } from '../../../completions/formats/call-format.js';
import type { CompletionUsage } from '../../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import type {
  FunctionTool,
  NamespaceTool,
  ResponsesRequest,
  ResponsesTool,
} from '../request/responses-request.types.js';

export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly output: readonly JsonObject[];
  readonly incompleteReason?: 'max_output_tokens' | 'content_filter' | undefined;
  readonly error?: { readonly code: string; readonly message: string };
  readonly usage?: CompletionUsage | undefined;
  /** As reported by the upstream. */
  readonly serviceTier?: string | undefined;
}

/** Writes a response object around its output. A stream has several, so the request's settings are written once. */
export class ResponseEnvelope {
  private readonly head: string;
  /** The model that answers, possibly a fallback. Set it before the first `toJson`. */
  model: string;
  /** Created when needed, as native answers need none. */
  private writtenSettings: string | undefined;

  constructor(
    { id, startedAt, request: chat }: ReplyCall,
    private readonly request: ResponsesRequest,
    private readonly recalled: Recalled | null,
  ) {
    const createdAt = Math.floor(startedAt.getTime() / 1000);
    this.head = `"id":"resp_${endOfId(id)}","object":"response","created_at":${createdAt}`;
    this.model = chat.model;
  }

  private get settings(): string {
    this.writtenSettings ??= JSON.stringify({ model: this.model, ...settingsOf(this.request, this.recalled) }).slice(
      1,
      -1,
    );
    return this.writtenSettings;
  }

  toJson({ status, output, incompleteReason, error, usage, serviceTier }: ResponseState): string {
    const details = incompleteReason ? `{"reason":"${incompleteReason}"}` : 'null';
    const tier = serviceTier ?? tierOf(this.request);
    const result = [
      this.head,
      `"status":"${status}","background":false`,
      `"error":${error ? JSON.stringify(error) : 'null'}`,
      `"incomplete_details":${details}`,
      this.settings,
      `"output":${JSON.stringify(output)}`,
      `"service_tier":${JSON.stringify(tier)}`,
    ];
    if (usage) result.push(`"usage":${JSON.stringify(usageOf(usage))}`);
    return `{${result.join(',')}}`;
  }
}

/** The settings as OpenAI reports them, with its defaults for settings that are missing. */
function settingsOf(request: ResponsesRequest, recalled: Recalled | null): JsonObject {
  const { text, reasoning, tools } = request;
  return {
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: recalled?.previousId ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: {
      effort: reasoning?.effort ?? null,
      summary: reasoning?.summary ?? reasoning?.generate_summary ?? null,
    },
    safety_identifier: request.safety_identifier ?? null,
    store: (recalled?.sink ?? null) !== null,
    temperature: request.temperature ?? 1,
    text: { format: text?.format ?? { type: 'text' }, verbosity: text?.verbosity ?? 'medium' },
    tool_choice: request.tool_choice ?? 'auto',
    tools: (tools ?? []).map(reportedTool),
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? 'disabled',
    ...(request.user != null && { user: request.user }),
    metadata: request.metadata ?? {},
  };
}

/** A reported function always has `parameters` and `strict`. */
function reportedTool(tool: ResponsesTool): object {
  if (tool.type === 'namespace') return { ...tool, tools: (tool as NamespaceTool).tools.map(reportedTool) };
  if (tool.type !== 'function') return tool;
  const { parameters = null, strict } = tool as FunctionTool;
  return { ...tool, parameters, strict: strict ?? false };
}

function tierOf({ service_tier: tier }: ResponsesRequest): string {
  return typeof tier === 'string' && tier !== 'auto' ? tier : 'default';
}

function usageOf({ prompt_tokens, completion_tokens, total_tokens, ...details }: CompletionUsage): JsonObject {
  const { cached_tokens = 0, cache_write_tokens = 0 } = details.prompt_tokens_details ?? {};
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens, cache_write_tokens },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: details.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens,
  };
}

/** Writes the numbered events of one stream as SSE text. */
export class EventWriter {
  private sequence = 0;
  private text = '';

  /** `fields`: the event's other members as JSON text. */
  write(type: string, fields: string): void {
    this.text += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.sequence++},${fields}}\n\n`;
  }

  /** The text written since the last call. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** Sets the number of the next event, if earlier events were written elsewhere. */
  continueAt(sequence: number): void {
    this.sequence = sequence;
  }
}

/** Codes that clients act on: they compact the conversation, or stop. */
const ACTED_ON: ReadonlySet<string> = new Set(['context_length_exceeded', 'insufficient_quota']);

/** Maps an error to the closest `ResponseErrorCode` of OpenAI's published document, or to a code that clients act on. */
export function failureOf(error: GatewayError): { code: string; message: string } {
  const { code, message } = error.body;
  if (code !== null && ACTED_ON.has(code)) return { code, message };
  if (error.status === 429) return { code: 'rate_limit_exceeded', message: withWait(error) };
  return { code: error.status < 500 ? 'invalid_prompt' : 'server_error', message };
}

/** The members of an `error` event. */
export function errorFields(error: GatewayError): string {
  const { code, message, param } = error.body;
  return JSON.stringify({ code, message, param, ...(error.status === 429 && failureOf(error)) }).slice(1, -1);
}

/** The message with the time to wait, which a stream has no header for. Codex parses `try again in 20s`. */
function withWait({ body: { message }, headers }: GatewayError): string {
  const seconds = Number(headers['retry-after']);
  if (!(seconds > 0) || /try again in \d/.test(message)) return message;
  return `${message.replace(/ Please try again later\.$/, '')} Please try again in ${seconds}s.`;
}
