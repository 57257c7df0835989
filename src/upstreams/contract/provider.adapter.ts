import type { OperatorFunction } from 'rxjs';
import type { ModelTraits } from '../../config/models.settings.js';
import type { UpstreamProtocol } from '../../config/upstream-protocol.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  EmbeddingAnswer,
  UsageSoFar,
} from './chat.types.js';
import type { EmbeddingBody, NativeApiName, NativeBody, ReducedBody } from './native.body.js';
import type { UpstreamError, UpstreamFailure } from './upstream.error.js';

/**
 * The contract between the gateway and one upstream API ("protocol").
 *
 * An adapter is pure: no I/O, clock, randomness or credentials. The same call and bytes always have the same result, so
 * a response in a file is a complete test. The gateway calls `toRequest`; `client/auth` signs the request; the upstream
 * client sends it; framing splits the body into events for `fromStream`. A whole body is passed to `fromResponse`, and
 * a response with a status ≥ 400 to `toError`.
 *
 * Every adapter guarantees:
 * - `role: "assistant"` on the first chunk of each choice;
 * - one `id` (`call.id`), one `created`, and the public model name (`call.model`) on everything;
 * - a tool call's `index` counts tool calls from 0 and never changes; its `id` and name are in its first delta only;
 * - exactly one `finish_reason` for each choice, never invented: a truncated stream has none;
 * - usage at most once, in the last chunk, with `choices: []`;
 * - unknown events and fields are skipped;
 * - an error that the upstream reports inside a stream is thrown as an `UpstreamError`;
 * - output is valid by OpenAI's schema (`refusal`, `logprobs`, `finish_reason` are null where required).
 *
 * Requests are strict: a valid request that the API cannot express throws a `GatewayError` 400 that names the field.
 */
export interface ProviderAdapter extends UpstreamProtocol {
  readonly framing: Framing;

  /** True: supported. False: refused with a 400 before the call. Absent: forwarded unchanged. */
  readonly capabilities: Readonly<Partial<Record<Capability, boolean>>>;

  /** Whether whole responses have tool arguments as values and not as text, so that integers must keep all digits. */
  readonly argumentsAreValues?: boolean;

  /** Whether enum values and content types that only some providers know are passed on. Otherwise they are a 400. */
  readonly takesForeignValues?: boolean;

  /** Whether requests include the caller's lists unchanged: then lists are frozen and sent as the received bytes. */
  readonly passesLists?: boolean;

  /** Whether a `prompt_cache_key` from the gateway is accepted. */
  readonly takesCacheKey?: boolean;

  /** Whether Anthropic's `cache_control` is sent in the API's form, or named in `ignored` where a model has no cache. */
  readonly takesCacheMarks?: boolean;

  /** Whether a model searches the web for every answer, even if the request has no such tool; absent: none does. */
  searchesUnasked?(upstreamModel: string, request: ChatCompletionRequest): boolean;

  /** The tool, billed by call, with which the provider reads the files of a request; absent: they only cost tokens. */
  readonly fileTool?: string | undefined;

  /** Whether each call of a tool that the provider runs makes the model read, and the provider bill, the prompt again. */
  readonly rereadsPrompt?: boolean | undefined;

  /** How many times as large a model's schemas may become when definitions are written out in them; absent: 1. */
  schemaGrowth?(upstreamModel: string): number;

  /** The target's native implementation of an API; null: requests of this API are translated. */
  nativeApi?(api: NativeApiName, target: NativeTarget): NativeApi | null;

  /** The older Completions API of this target; absent or null: it has none. */
  textCompletions?(target: NativeTarget): NativeApi | null;

  /** The embeddings of this target; absent or null: it has none. */
  embeddings?(target: NativeTarget): EmbeddingsApi | null;

  /** The upstream request, which always requests token usage. */
  toRequest(call: ProviderCall): ProviderRequest;

  /** Reads a whole response, parsed from JSON. Throws an `UpstreamError` if it is invalid. */
  fromResponse(body: unknown, call: ProviderCall): ChatCompletion;

  /**
   * A synchronous operator from events to chunks, without buffering or delay. Completes with its source or at the API's
   * end marker. Throws errors that the upstream reports. `chunkStream` creates it from a `ChunkReader`.
   */
  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk>;

  /** Maps a response with `status` ≥ 400; `body` is parsed JSON, or text if it is not JSON. */
  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError;
}

/**
 * An upstream's native implementation of a client API: the client's request is passed on, with the model and denied
 * fields replaced, and the answer is passed back. Pure, like a `ProviderAdapter`.
 */
export interface NativeApi {
  readonly framing: Framing;

  /**
   * `call.request` is the same request in the inner form. Its output limit applies (a budget may have lowered it), and
   * sampling fields that it lacks are left out here, too.
   */
  toRequest(call: ProviderCall, body: NativeBody): ProviderRequest;

  /** Splits a request into several; absent: requests are never split. */
  split?(): readonly NativeBody[];

  /** Joins the answers to split requests, in their order. */
  join?(answers: readonly ChatCompletion[]): ChatCompletion;

  /** The likely tokens of a split request whose answer reports none. */
  estimate?(part: NativeBody): number;

  /** Reads a whole response for the ledger, and adds the text for the client as `nativeText`. */
  fromResponse(text: string, call: ProviderCall): ChatCompletion;

  /** Reads a stream for the ledger. Each event for the client is in `nativeEvents` of one chunk. */
  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk>;

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError;

  /**
   * The request without the part that the upstream refused (`refusedPart`), to be sent again; null if nothing can be
   * left out.
   */
  withoutRefused(body: NativeBody, failure: UpstreamFailure): ReducedBody | null;

  /** Absent: the API cannot count tokens without answering. */
  readonly counts?: NativeCounts;
}

/** Counts the input tokens of a request without answering it. */
export interface NativeCounts {
  /** Null: this upstream cannot. */
  toRequest(call: ProviderCall, body: NativeBody): ProviderRequest | null;

  /** Reads the parsed body; undefined: it has no count. */
  fromResponse(body: unknown): number | undefined;
}

/** An upstream's embeddings. Pure, like a `ProviderAdapter`. */
export interface EmbeddingsApi {
  /** The maximum number of inputs in one request; calls with more are split. */
  readonly mostInputs: number;
  /** The maximum number of tokens of all inputs in one request. */
  readonly mostTokens?: number;
  /** Whether inputs can be lists of token ids. */
  readonly takesTokens: boolean;
  /** Whether vectors can be requested as base64, which is a quarter of the size of numbers. */
  readonly takesBase64?: boolean;

  /** Throws a `GatewayError` 400 for a field that the API cannot express. */
  toRequest(call: ProviderCall, body: EmbeddingBody): ProviderRequest;

  /** Reads a response, parsed from JSON. Throws an `UpstreamError` if it is invalid. */
  fromResponse(response: unknown): EmbeddingAnswer;
}

export type NativeTarget = Pick<ProviderCall, 'upstreamModel' | 'settings'>;

export interface ProviderCall {
  /** The gateway's id of the response, `chatcmpl-…`. */
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** The model's name in the answer: its public id, or the alias that the client used. */
  readonly model: string;
  readonly upstreamModel: string;
  /** Validated, with the caller's unknown fields. Adapters never change it. */
  readonly request: ChatCompletionRequest;
  /**
   * When Chat Completions refuses function tools for this model because it reasons: `asked`, if the request sets an
   * effort; `always`, even without one.
   */
  readonly reasonsWithoutTools: 'asked' | 'always' | null;
  /** What the model accepts, as far as it is declared. */
  readonly traits: ModelTraits;
  /** The catalog's output limit, for APIs that require `max_tokens`. */
  readonly maxOutputTokens: number | null;
  /** Whether calls of the model cost something, so that only fields that limits know may be sent. */
  readonly isPaid: boolean;
  /** The calls of tools that the provider may run; null: as many as the request allows. */
  readonly maxHostedCalls: HostedCallLimits | null;
  /** Protocol-specific keys of upstreams.yaml (`apiVersion`, `project`, `location`); a flag that is set is `true`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly watch?: AnswerWatch;
}

/** How often the provider may call each of its tools. */
export interface HostedCallLimits {
  /** Where the request does not say. */
  readonly usual: number;
  /** Whatever the request says; null: as it says. */
  readonly most: number | null;
}

/** What an answer has reported about itself so far. */
export interface AnswerWatch {
  /** For callers that disconnect early. */
  usageSoFar: (() => UsageSoFar | undefined) | null;
  /** Output that was read and is in no chunk; null: none. */
  unread: (() => string) | null;
  /** The model and the service tier that served, by the provider's names; null: not reported. */
  servedModel: string | null;
  servedTier: string | null;
  /** Calls of tools that the provider runs, by its names (`web_search`); null: its answers do not show them. */
  hostedCalls: Map<string, number> | null;
  /** The id of a native answer, which the client gets. */
  answerId: string | null;
}

export interface ProviderRequest {
  method: 'POST';
  /** Relative to the base URL, for example `/chat/completions`. A prefix that the base URL has is not repeated. */
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Paths of fields that the API does not support and that can safely be left out; reported to the caller. */
  ignored?: readonly string[];
}

/** `sse`: server-sent events; `aws-event-stream`: AWS's binary frames; `ndjson`: one JSON value per line. */
export type Framing = 'sse' | 'aws-event-stream' | 'ndjson';

/** Optional features, with the fields that request them. An adapter that says `false` never receives those fields. */
export const CAPABILITIES = [
  /** `response_format.type` */
  'json_object',
  'json_schema',
  /** `n` above 1 */
  'multiple_choices',
  /** `logprobs`, `top_logprobs` */
  'logprobs',
  /** a content part `input_audio` */
  'audio_input',
  /** `modalities` with `audio`, `audio` */
  'audio_output',
  /** `modalities` with `image` */
  'image_output',
  /** a content part `file` */
  'file_input',
  /** a content part `image_url` that is not a `data:` URL */
  'image_address',
  /** `image_url` parts in tool results; must be declared true, since OpenAI's format has none there */
  'tool_images',
  /** a tool, or a tool choice, of type `custom` */
  'custom_tools',
  /** `functions` and `function_call`, the predecessors of `tools`; false: the gateway converts them */
  'functions',
  /** `logit_bias` that is not empty */
  'logit_bias',
  /** `web_search_options` */
  'web_search',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/**
 * `event` is the SSE event name or AWS's `:event-type`, or ''. AWS exceptions and errors are `exception:` or `error:`
 * plus their type.
 */
export interface UpstreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Header names are lower-case. */
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;
