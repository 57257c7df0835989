import type { OperatorFunction } from 'rxjs';
import type { UpstreamProtocol } from '../../config/upstream-protocol.js';
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest, UsageSoFar } from './chat.types.js';
import type { UpstreamError } from './upstream.error.js';

/**
 * The contract between the gateway and one upstream API ("protocol").
 *
 * An adapter is pure: no I/O, no clock, no randomness, no credential. The same call and the same bytes always give the
 * same result, so an answer in a file is a complete test. Everything with an effect lies around it:
 *
 *     toRequest → upstream/auth signs → upstream client sends → framing cuts the body into events → fromStream
 *                                                             ↘ or the whole body, parsed        → fromResponse
 *                                                             ↘ or a status ≥ 400                → toError
 *
 * Whoever the upstream is, an adapter keeps these promises to the client:
 * - `role: "assistant"` on the first chunk of each choice;
 * - one `id` (`call.id`), one `created`, and the public model name (`call.model`) on everything;
 * - a tool call's `index` counts tool calls from 0 and stays the same, its `id` and name come once, in its first delta;
 * - exactly one `finish_reason` a choice, and none invented: a stream that broke off has none;
 * - usage at most once, as the last chunk, with `choices: []`;
 * - events and fields that it does not know are skipped, never an error;
 * - an error that the upstream reports inside a stream is thrown (as `UpstreamError`), never swallowed;
 * - what it emits is valid by OpenAI's schema (`refusal`, `logprobs`, `finish_reason` present as null where required).
 *
 * What the settings know of it, its word in upstreams.yaml and how it is given a credential that it never sees, is
 * declared as `UpstreamProtocol` says.
 *
 * Requests are strict: a valid request that the API cannot express is a thrown `GatewayError` 400 that names the field.
 */
export interface ProviderAdapter extends UpstreamProtocol {
  /** How the body of a streamed answer is cut into events. */
  readonly framing: Framing;

  /** What this API is known to do (true) or not to do (false → 400 before it is called); absent = forwarded as it is. */
  readonly capabilities: Readonly<Partial<Record<Capability, boolean>>>;

  /** Its whole answers hold the arguments of calls as values, not as text: integers in them must keep their digits. */
  readonly argumentsAreValues?: boolean;

  /** Whether values that only some provider has (of an enum, or kinds of content) go on as they are; else they are a 400. */
  readonly takesForeignValues?: boolean;

  /**
   * Lists of the caller's stand in its requests as they are: they are frozen before it sees them, and sent as the bytes
   * that they came as.
   */
  readonly passesLists?: boolean;

  /** Its requests may have a `prompt_cache_key` that the caller did not send. */
  readonly takesCacheKey?: boolean;

  /** The upstream request for a call: what is asked of the upstream always includes its token usage. */
  toRequest(call: ProviderCall): ProviderRequest;

  /** A whole answer, parsed from JSON. Throws `UpstreamError` when it cannot be read as one. */
  fromResponse(body: unknown, call: ProviderCall): ChatCompletion;

  /**
   * A synchronous operator with its state in one closure: framed events in, chunks out, nothing buffered or delayed.
   * It completes when its source does (or earlier, at the API's own end mark) and throws what the upstream reports.
   * `chunkStream` makes it of a `ChunkReader`, which keeps what every stream promises.
   */
  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk>;

  /** The error for an answer with `status` ≥ 400; `body` is parsed JSON, or the text where it is none. */
  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError;
}

/** One client call on its way to one target. */
export interface ProviderCall {
  /** Our id of the answer, `chatcmpl-…`. */
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** The public model id: what the client asked for and is told. */
  readonly model: string;
  /** The upstream's own name of the model. */
  readonly upstreamModel: string;
  /** The validated request, with the caller's unknown fields; never changed by an adapter. */
  readonly request: ChatCompletionRequest;
  /**
   * Chat completions refuse function tools for the model while it reasons: `asked`, where an effort is set; `always`,
   * also where none is. Its target says so.
   */
  readonly reasonsWithoutTools: 'asked' | 'always' | null;
  /** The catalog's output limit, for an API that demands `max_tokens`. */
  readonly maxOutputTokens: number | null;
  /** What stands in upstreams.yaml under the protocols' own keys (`apiVersion`, `project`, `location`). */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the reader of a stream shows what usage the upstream has told so far, for a caller who leaves. */
  readonly watch?: UsageWatch;
}

/** What of its usage an upstream has told in a stream that may not have ended. */
export interface UsageWatch {
  usageSoFar: (() => UsageSoFar | undefined) | null;
}

/** A request relative to the upstream's base URL. */
export interface ProviderRequest {
  method: 'POST';
  /** Behind the base URL, for example `/chat/completions`; what the base URL already ends with is not repeated. */
  path: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: Record<string, unknown>;
  /** Fields, by their paths, that the API cannot be asked for and an answer can do without: the caller is told. */
  ignored?: readonly string[];
}

/** `sse`: the SSE standard; `aws-event-stream`: AWS's binary frames; `ndjson`: one JSON value a line. */
export type Framing = 'sse' | 'aws-event-stream' | 'ndjson';

/** What a request may ask for, each by the field that asks: an adapter that says `false` never gets that field set. */
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
  /** a content part `image_url` in a tool's result: only true lets it pass, since OpenAI's format has none there */
  | 'tool_images'
  /** a tool, or a tool choice, of type `custom` */
  | 'custom_tools'
  /** `functions`, `function_call`, the forerunners of `tools`; false: these are translated before and after the adapter */
  | 'functions'
  /** `logit_bias` that is not empty */
  | 'logit_bias'
  /** `web_search_options` */
  | 'web_search';

/**
 * One framed event. `event` is the SSE event name or AWS's `:event-type`, '' where there is none; AWS's exceptions and
 * errors are `exception:` or `error:` with their type.
 */
export interface UpstreamEvent {
  readonly event: string;
  readonly data: string;
}

/** Header names in lower case. */
export type UpstreamHeaders = Readonly<Record<string, string | string[] | undefined>>;
