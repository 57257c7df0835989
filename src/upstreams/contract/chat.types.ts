/**
 * The parts of OpenAI's Chat Completions format that the gateway reads. Source: OpenAI's published OpenAPI document.
 * Fields that are only passed on are covered by the index signatures.
 */

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** Read-only after validation, as long lists are sent upstream as the received bytes. */
export interface ChatCompletionRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean; readonly [field: string]: unknown } | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly n?: number | null;
  readonly seed?: number | null;
  readonly frequency_penalty?: number | null;
  readonly presence_penalty?: number | null;
  readonly logprobs?: boolean | null;
  readonly top_logprobs?: number | null;
  readonly reasoning_effort?: string | null;
  readonly response_format?: ResponseFormat;
  readonly tools?: readonly ChatTool[];
  readonly tool_choice?: ToolChoice;
  readonly parallel_tool_calls?: boolean;
  readonly user?: string;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly [field: string]: unknown;
}

export type ChatMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string | readonly TextPart[]; readonly name?: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[]; readonly name?: string }
  | AssistantMessage
  /** OpenAI allows only text here; images go to APIs that accept them. */
  | {
      readonly role: 'tool';
      readonly content: string | readonly (TextPart | ImagePart)[];
      readonly tool_call_id: string;
    }
  | { readonly role: 'function'; readonly content: string | null; readonly name: string };

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content?: string | readonly (TextPart | RefusalPart)[] | null;
  readonly refusal?: string | null;
  readonly name?: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly function_call?: { readonly name: string; readonly arguments: string } | null;
  /** Pictures of an earlier answer, as `ChatResponseMessage` has them. */
  readonly images?: unknown;
  readonly [field: string]: unknown;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly refusal: string;
}

export interface ImagePart {
  readonly type: 'image_url';
  /** `url`: a `data:` URL with base64 content, or an address that only the upstream fetches. */
  readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' | 'original' };
}

export interface AudioPart {
  readonly type: 'input_audio';
  readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' };
}

export interface FilePart {
  readonly type: 'file';
  readonly file: { readonly filename?: string; readonly file_data?: string; readonly file_id?: string };
}

export type ContentPart = TextPart | ImagePart | AudioPart | FilePart;

/** `arguments` is JSON text exactly as the model wrote it. */
export interface FunctionToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly [field: string]: unknown;
}

export type ToolCall =
  | FunctionToolCall
  | {
      readonly id: string;
      readonly type: 'custom';
      readonly custom: { readonly name: string; readonly input: string };
    };

export interface FunctionTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly strict?: boolean | null;
  };
}

export type ChatTool =
  | FunctionTool
  | { readonly type: 'custom'; readonly custom: { readonly name: string; readonly [field: string]: unknown } };

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string } }
  | {
      readonly type: 'allowed_tools';
      readonly allowed_tools: {
        readonly mode: 'auto' | 'required';
        readonly tools: readonly Readonly<Record<string, unknown>>[];
      };
    };

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly description?: string;
        readonly schema?: Readonly<Record<string, unknown>>;
        readonly strict?: boolean | null;
      };
    };

/** `prompt_tokens` includes cached tokens once; `total_tokens` = prompt + completion. */
export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /**
   * `cache_write_tokens` includes `cache_write_1h_tokens`, which is absent if the provider does not split them by
   * lifetime. Neither is in OpenAI's format.
   */
  prompt_tokens_details?: {
    cached_tokens?: number;
    cache_write_tokens?: number;
    cache_write_1h_tokens?: number;
    audio_tokens?: number;
    [field: string]: unknown;
  };
  completion_tokens_details?: { reasoning_tokens?: number; audio_tokens?: number; [field: string]: unknown };
  /** Calls of tools that the provider ran, as Anthropic and OpenRouter report them. */
  server_tool_use?: { web_search_requests?: number };
}

/**
 * Usage that an upstream reported before the end; without `completion_tokens`, there was more output than the
 * `least_completion_tokens` that it counted.
 */
export type UsageSoFar = Pick<CompletionUsage, 'prompt_tokens' | 'prompt_tokens_details'> &
  Partial<Pick<CompletionUsage, 'completion_tokens' | 'completion_tokens_details'>> & {
    readonly least_completion_tokens?: number;
    /** How often the model has read the prompt, if `prompt_tokens` has all of these. */
    readonly readings?: number;
  };

export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: ChatChoice[];
  usage?: CompletionUsage;
  /** The JSON text for clients of the upstream's native API; never part of a chat completion. */
  nativeText?: string;
  [field: string]: unknown;
}

export interface ChatChoice {
  index: number;
  message: ChatResponseMessage;
  finish_reason: FinishReason;
  /** The request's stop sequence that ended the answer, if the upstream reports it, as vLLM does. */
  stop_reason?: string;
  logprobs: Record<string, unknown> | null;
}

export interface ChatResponseMessage {
  role: 'assistant';
  content: string | null;
  refusal: string | null;
  /** The model's reasoning, if an upstream returns it. Common in compatible APIs; not in OpenAI's format. */
  reasoning_content?: string;
  tool_calls?: ToolCall[];
  function_call?: CalledFunction;
  images?: AnswerImage[];
  [field: string]: unknown;
}

/** A picture that the model made. OpenRouter's form, which other APIs and clients know; not in OpenAI's format. */
export interface AnswerImage {
  type: 'image_url';
  /** Its position among the pictures of the answer. */
  index: number;
  /** `url`: a `data:` URL with base64 content, or an address. */
  image_url: { url: string };
  [field: string]: unknown;
}

/** The usage chunk has `choices: []` and comes last. */
export interface ChatCompletionChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: ChatChunkChoice[];
  usage?: CompletionUsage | null;
  /** The events of this chunk for clients of the upstream's native API. */
  nativeEvents?: NativeEvents;
  [field: string]: unknown;
}

export interface NativeEvents {
  /** SSE text. */
  readonly text: string;
  /** Whether this is the stream's last event, which is held back until the call's row is closed. */
  readonly isLast: boolean;
  /** Output in these events that the chunk does not have: text of any kind, and base64 characters of sound. */
  readonly unread?: { readonly text: string; readonly sound: number };
}

export interface ChatChunkChoice {
  index: number;
  delta: ChatDelta;
  finish_reason: FinishReason | null;
  stop_reason?: string;
  logprobs?: Record<string, unknown> | null;
}

export interface ChatDelta {
  role?: 'assistant';
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string;
  tool_calls?: ToolCallDelta[];
  function_call?: CalledFunction;
  /** Whole pictures. */
  images?: AnswerImage[];
  [field: string]: unknown;
}

export interface CalledFunction {
  name?: string;
  arguments?: string;
  [field: string]: unknown;
}

export interface ToolCallDelta {
  /** Position among the choice's tool calls, from 0; the same in every delta of one call. */
  index: number;
  id?: string;
  /** OpenAI's schema of chunks lists functions only, but OpenAI streams custom tools the same way. */
  type?: 'function' | 'custom';
  function?: { name?: string; arguments?: string };
  [field: string]: unknown;
}

/** A whole completion, or a chunk of a stream. */
export type Answer = ChatCompletion | ChatCompletionChunk;

/** Numbers, or base64 of little-endian 32-bit floats. */
export type Vector = readonly number[] | string;

export interface EmbeddingAnswer {
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  /** Undefined: not reported. */
  readonly inputTokens?: number | undefined;
}
