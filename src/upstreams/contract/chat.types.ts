/**
 * OpenAI's Chat Completions format, as far as the gateway reads it.
 * Source: OpenAI's published OpenAPI document. Fields that the gateway only passes on stay in the index signatures.
 */

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

export interface ChatCompletionRequest {
  model: string;
  messages: ChatMessage[];
  stream?: boolean | null;
  stream_options?: { include_usage?: boolean; [field: string]: unknown } | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  stop?: string | string[] | null;
  n?: number | null;
  seed?: number | null;
  frequency_penalty?: number | null;
  presence_penalty?: number | null;
  logprobs?: boolean | null;
  top_logprobs?: number | null;
  reasoning_effort?: string | null;
  response_format?: ResponseFormat;
  tools?: ChatTool[];
  tool_choice?: ToolChoice;
  parallel_tool_calls?: boolean;
  user?: string;
  metadata?: Record<string, string> | null;
  [field: string]: unknown;
}

export type ChatMessage =
  | { role: 'system' | 'developer'; content: string | TextPart[]; name?: string }
  | { role: 'user'; content: string | ContentPart[]; name?: string }
  | AssistantMessage
  /** OpenAI's format has text alone here; images go to an API that takes them. */
  | { role: 'tool'; content: string | (TextPart | ImagePart)[]; tool_call_id: string }
  | { role: 'function'; content: string | null; name: string };

export interface AssistantMessage {
  role: 'assistant';
  content?: string | (TextPart | RefusalPart)[] | null;
  refusal?: string | null;
  name?: string;
  tool_calls?: ToolCall[];
  function_call?: { name: string; arguments: string } | null;
  [field: string]: unknown;
}

export interface TextPart {
  type: 'text';
  text: string;
}

export interface RefusalPart {
  type: 'refusal';
  refusal: string;
}

export interface ImagePart {
  type: 'image_url';
  /** `url` is a `data:` URL with base64 content, or an address that only the upstream fetches. */
  image_url: { url: string; detail?: 'auto' | 'low' | 'high' | 'original' };
}

export interface AudioPart {
  type: 'input_audio';
  input_audio: { data: string; format: 'wav' | 'mp3' };
}

export interface FilePart {
  type: 'file';
  file: { filename?: string; file_data?: string; file_id?: string };
}

export type ContentPart = TextPart | ImagePart | AudioPart | FilePart;

/** A call of a function; `arguments` is JSON text exactly as the model wrote it. */
export interface FunctionToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  [field: string]: unknown;
}

export type ToolCall = FunctionToolCall | { id: string; type: 'custom'; custom: { name: string; input: string } };

export interface FunctionTool {
  type: 'function';
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: boolean | null };
}

export type ChatTool = FunctionTool | { type: 'custom'; custom: { name: string; [field: string]: unknown } };

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | { type: 'function'; function: { name: string } }
  | { type: 'custom'; custom: { name: string } }
  | { type: 'allowed_tools'; allowed_tools: { mode: 'auto' | 'required'; tools: Record<string, unknown>[] } };

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      json_schema: { name: string; description?: string; schema?: Record<string, unknown>; strict?: boolean | null };
    };

/** Tokens of one call. `prompt_tokens` includes cached ones once; `total_tokens` = prompt + completion. */
export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** `cache_write_tokens`, of them for an hour `cache_write_1h_tokens`: fields of the wider ecosystem. */
  prompt_tokens_details?: {
    cached_tokens?: number;
    cache_write_tokens?: number;
    cache_write_1h_tokens?: number;
    audio_tokens?: number;
    [field: string]: unknown;
  };
  completion_tokens_details?: { reasoning_tokens?: number; audio_tokens?: number; [field: string]: unknown };
  /** Calls of tools that the provider ran, as Anthropic and OpenRouter tell them. */
  server_tool_use?: { web_search_requests?: number };
}

/** What of its usage an upstream has told before the end; without `completion_tokens`, more may have been written since. */
export type UsageSoFar = Pick<CompletionUsage, 'prompt_tokens' | 'prompt_tokens_details'> &
  Partial<Pick<CompletionUsage, 'completion_tokens' | 'completion_tokens_details'>>;

/** The answer to a request without `stream`. */
export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: ChatChoice[];
  usage?: CompletionUsage;
  [field: string]: unknown;
}

export interface ChatChoice {
  index: number;
  message: ChatResponseMessage;
  finish_reason: FinishReason;
  logprobs: Record<string, unknown> | null;
}

export interface ChatResponseMessage {
  role: 'assistant';
  content: string | null;
  refusal: string | null;
  /** The model's thoughts where an upstream shows them; a field of the wider ecosystem, not of OpenAI's format. */
  reasoning_content?: string;
  tool_calls?: ToolCall[];
  function_call?: CalledFunction;
  [field: string]: unknown;
}

/** One event of a streamed answer. The usage chunk has `choices: []` and comes last. */
export interface ChatCompletionChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: ChatChunkChoice[];
  usage?: CompletionUsage | null;
  [field: string]: unknown;
}

export interface ChatChunkChoice {
  index: number;
  delta: ChatDelta;
  finish_reason: FinishReason | null;
  logprobs?: Record<string, unknown> | null;
}

export interface ChatDelta {
  role?: 'assistant';
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string;
  tool_calls?: ToolCallDelta[];
  function_call?: CalledFunction;
  [field: string]: unknown;
}

/** A called function, or a piece of the call. */
export interface CalledFunction {
  name?: string;
  arguments?: string;
  [field: string]: unknown;
}

export interface ToolCallDelta {
  /** Position of the call among the choice's tool calls, from 0; the same in every delta of one call. */
  index: number;
  id?: string;
  /** The published schema of chunks knows functions only, but so does OpenAI stream custom tools. */
  type?: 'function' | 'custom';
  function?: { name?: string; arguments?: string };
  [field: string]: unknown;
}

/** What comes back for a call: one completion, or the chunks of a stream. */
export type Answer = ChatCompletion | ChatCompletionChunk;
