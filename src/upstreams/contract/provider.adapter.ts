import type { OperatorFunction } from 'rxjs';
import type { UpstreamProtocol } from '../../config/upstream-protocol.js';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest, UsageSoFar } from './chat.types.js';
import type { EmbeddingAnswer } from './embedding.types.js';
import type { EmbeddingBody, NativeApiName, NativeBody, ReducedBody } from './native.body.js';
import type { UpstreamError, UpstreamFailure } from './upstream.error.js';

/**
 * The contract between the gateway and one upstream API ("protocol").
 *
 * An adapter is pure: no I/O, clock, randomness or credentials. The same call and bytes always give the same result, so
 * a response in a file is a complete test. Effects live around it: toRequest → `client/auth` signs → upstream client
 * sends → framing splits the body into events → fromStream; a whole body goes to fromResponse, a status ≥ 400 to
 * toError.
 *
 * Every adapter guarantees:
 * - `role: "assistant"` on the first chunk of each choice;
 * - one `id` (`call.id`), one `created`, and the public model name (`call.model`) on everything;
 * - a tool call's `index` counts tool calls from 0 and never changes; its `id` and name are in its first delta only;
 * - exactly one `finish_reason` a choice, never invented: a stream that broke off has none;
 * - usage at most once, in the last chunk, with `choices: []`;
 * - unknown events and fields are skipped;
 * - an error that the upstream reports inside a stream is thrown as an `UpstreamError`;
 * - output is valid by OpenAI's schema (`refusal`, `logprobs`, `finish_reason` are null where required).
 *
 * Requests are strict: a valid request that the API cannot express throws a `GatewayError` 400 that names the field.
 */
export interface ProviderAdapter extends UpstreamProtocol {
  readonly framing: Framing;

  /** True: supported. False: refused with a 400 before the call. Absent: forwarded as it is. */
  readonly capabilities: Readonly<Partial<Record<Capability, boolean>>>;

  /** Whole responses hold tool arguments as values, not as text: integers in them must keep their digits. */
  readonly argumentsAreValues?: boolean;

  /** Values that only some providers know (of an enum, or content kinds) are passed on; otherwise they are a 400. */
  readonly takesForeignValues?: boolean;

  /** Requests include the caller's lists unchanged: the lists are frozen first and sent as the bytes received. */
  readonly passesLists?: boolean;

  /** Accepts a `prompt_cache_key` that the gateway adds. */
  readonly takesCacheKey?: boolean;

  /** The API as this target speaks it itself; null: requests of this API are translated. */
  nativeApi?(api: NativeApiName, target: NativeTarget): NativeApi | null;

  /** The API's older Completions with this target; absent or null: it has none. */
  textCompletions?(target: NativeTarget): NativeApi | null;

  /** How the API embeds texts with this target; absent or null: it does not. */
  embeddings?(target: NativeTarget): EmbeddingsApi | null;

  /** The upstream request; it always asks for token usage. */
  toRequest(call: ProviderCall): ProviderRequest;

  /** Reads a whole response, parsed from JSON. Throws an `UpstreamError` if it is invalid. */
  fromResponse(body: unknown, call: ProviderCall): ChatCompletion;

  /**
   * A synchronous operator: events in, chunks out, nothing buffered or delayed. Completes with its source or at the
   * API's end marker; throws what the upstream reports. `chunkStream` creates it from a `ChunkReader`.
   */
  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk>;

  /** Maps a response with `status` ≥ 400; `body` is parsed JSON, or text if it is not JSON. */
  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError;
}

/**
 * How an upstream takes requests of an API that it speaks itself: the client's request is passed on, with the model and
 * denied fields replaced, and the answer is passed back. Pure, as a `ProviderAdapter` is.
 */
export interface NativeApi {
  readonly framing: Framing;

  /**
   * `call.request` is the same request in the inner form. Its output limit is the binding one (a budget may have lowered
   * it), and sampling fields that it lacks are left out here, too.
   */
  toRequest(call: ProviderCall, body: NativeBody): ProviderRequest;

  /** The bodies of a request that must be sent as several; absent: each is sent as it is. */
  split?(): readonly NativeBody[];

  /** Joins the answers to these requests, in their order. */
  join?(answers: readonly ChatCompletion[]): ChatCompletion;

  /** Reads a whole response for the ledger, and adds the text for the client as `nativeText`. */
  fromResponse(text: string, call: ProviderCall): ChatCompletion;

  /** Reads a stream for the ledger; every event that the client gets is in `nativeEvents` of one chunk. */
  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk>;

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError;

  /**
   * The request without the part that the upstream refused (`refusedPart`), to be sent once more; null if nothing can be
   * left out.
   */
  withoutRefused(body: NativeBody, failure: UpstreamFailure): ReducedBody | null;

  /** Absent: the API does not count tokens without answering. */
  readonly counts?: NativeCounts;
}

/** How an upstream counts the input tokens of a request that it does not answer. */
export interface NativeCounts {
  /** Null: this upstream cannot. */
  toRequest(call: ProviderCall, body: NativeBody): ProviderRequest | null;

  /** From the parsed body; undefined: it has no count. */
  fromResponse(body: unknown): number | undefined;
}

/** How an upstream embeds texts. Pure, as a `ProviderAdapter` is. */
export interface EmbeddingsApi {
  /** The most inputs of one request; a call with more is sent as several. */
  readonly mostInputs: number;
  /** The most tokens of all inputs of one request together. */
  readonly mostTokens?: number;
  /** Whether inputs can be lists of token ids. */
  readonly takesTokens: boolean;

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
   * Chat Completions refuses function tools for this model while it reasons: `asked`, if the request sets an effort;
   * `always`, also without one.
   */
  readonly reasonsWithoutTools: 'asked' | 'always' | null;
  /** The catalog's output limit, for APIs that require `max_tokens`. */
  readonly maxOutputTokens: number | null;
  /** Protocol-specific keys of upstreams.yaml (`apiVersion`, `project`, `location`); a flag that is set is `true`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly watch?: UsageWatch;
}

/** Usage reported so far by a stream, for callers that leave early. */
export interface UsageWatch {
  usageSoFar: (() => UsageSoFar | undefined) | null;
}

export interface ProviderRequest {
  method: 'POST';
  /**
   * Relative to the base URL, for example `/chat/completions`. A prefix that the base URL ends with is not repeated.
   */
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Paths of fields that the API does not support and that are safe to drop; reported to the caller. */
  ignored?: readonly string[];
}

/** `sse`: server-sent events; `aws-event-stream`: AWS's binary frames; `ndjson`: one JSON value a line. */
export type Framing = 'sse' | 'aws-event-stream' | 'ndjson';

/** Optional features, with the fields that request them. An adapter that says `false` never receives those fields. */
export type Capability =
  /** `response_format.type` */
  | 'json_object'
  | 'json_schema'
  /** `n` above 1 */
  | 'multiple_choices'
  /** `logprobs`, `top_logprobs` */
  | 'logprobs'
  /** a content part `input_audio` */
  | 'audio_input'
  /** `modalities` with `audio`, `audio` */
  | 'audio_output'
  /** a content part `file` */
  | 'file_input'
  /** a content part `image_url` that is not a `data:` URL */
  | 'image_address'
  /** `image_url` parts in tool results; must be declared true, since OpenAI's format has none there */
  | 'tool_images'
  /** a tool, or a tool choice, of type `custom` */
  | 'custom_tools'
  /** `functions` and `function_call`, the predecessors of `tools`; false: the gateway converts them */
  | 'functions'
  /** `logit_bias` that is not empty */
  | 'logit_bias'
  /** `web_search_options` */
  | 'web_search';

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
