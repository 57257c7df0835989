import type { Request } from 'express';
import type { Caller } from '../../auth/caller.types.js';
import type { GatewayError } from '../../common/gateway.error.js';
import type { Model } from '../../models/model.types.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
} from '../../upstreams/contract/chat.types.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import type { TokenCounter } from '../../upstreams/tokens/token-counter.js';

/**
 * The request and answer format of one API. A format is pure: except for its memory, it does no I/O, and it depends on no provider. Limits,
 * routing and metering only use the inner form of calls, OpenAI's Chat Completions.
 */
export interface CallFormat {
  /** As in ledger rows, metrics and logs, for example `responses`. */
  readonly api: string;

  /** Whether short lists and objects of the body are also sent to native targets as the received bytes. */
  readonly keepsBytes?: boolean;

  /** Parses the JSON of bodies below 4 MB. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown;

  /** Undefined: requests cannot refer to earlier answers, and none are stored. */
  readonly memory?: CallMemory;

  /** Where the model is in the path instead of the body. Throws a `GatewayError`. */
  readonly modelIn?: (request: Pick<Request, 'path'>) => string;

  /** Throws a `GatewayError` 400 that names the invalid field. `recalled`: what `memory` found for the request. */
  read(body: unknown, request: Pick<Request, 'headers' | 'path'>, recalled?: Recalled | null): ClientCall;
}

/** Earlier answers that requests of an API can refer to. The only part of a format with I/O. */
export interface CallMemory {
  /**
   * Null: the request refers to none, and its answer is not stored. Rejects with a `GatewayError`. `admit` is called
   * with the JSON of what is read before it is parsed, and throws if the whole request becomes too large.
   */
  recall(caller: Caller, body: unknown, admit: (json: Buffer) => void): Promise<Recalled | null>;
}

/** Stores the text of an answer, except heartbeats, before its end is sent. */
export interface AnswerSink {
  add(piece: string): void;
  /** Call it at the end of the answer. Never rejects. */
  keep(): Promise<void>;
  /** Call it if the call failed or its client disconnected. Does nothing if the answer is already being stored. */
  release(): Promise<void>;
}

export interface Recalled {
  /** The request's body with the content that it refers to. */
  readonly body: unknown;
  /** The id of the answer that the request continues. */
  readonly previousId: string | null;
  /** Stores the answer; null: it is not stored. */
  readonly sink: AnswerSink | null;
  /** The client's path of a field of `body`. */
  readonly pathOf: (path: string) => string;
}

/** A valid request of a client. */
export interface ClientCall {
  /** In the inner form. A format that needs the usage at the end of a stream sets `stream_options.include_usage`. */
  readonly request: ChatCompletionRequest;
  /**
   * The request for limits and prices: `request` plus, for native targets, hosted tools as entries of `tools` with
   * their `type`, and other content that only such targets read.
   */
  readonly charged: ChatCompletionRequest;
  /** For targets with the client's API; null: all targets get the inner form. */
  readonly native: NativeRequest | null;
  /** The same call without web search, for models that have no price for it; undefined: there is none to leave out. */
  readonly withoutWebSearch?: (() => ClientCall) | undefined;
  /** Rejects with a `GatewayError` 400 if the model cannot serve the request; for checks that must count tokens. */
  check?(model: Model, tokens: Pick<TokenCounter, 'count'>): Promise<void>;
  /**
   * The client's path of a field of the inner form, for errors and ignored parameters. Paths from `native` are mapped by
   * its own `pathOf`. Undefined: all fields have the same path.
   */
  readonly pathOf?: ((path: string) => string) | undefined;
  reply(call: ReplyCall): Reply;
}

export interface NativeRequest {
  readonly body: NativeBody;
  /** Paths of fields without effect on translated targets, for `x-gateway-ignored-parameters`. */
  readonly untranslated: readonly string[];
  /** The 400 for translated targets if a field cannot be translated; null: all fields can. */
  readonly untranslatable: GatewayError | null;
  /** Paths of fields that no target receives, for the same header. */
  readonly leftOut?: readonly string[];
  /**
   * The path of the first reference to files or stores in the provider's account, which only models with
   * `providerFiles` allow. Null: there is none. Undefined: the inner form must be searched.
   */
  readonly accountFile?: string | null;
  /** Fields of the inner form that a model may ignore → their paths in the client's form. */
  readonly optional?: ReadonlyMap<string, string>;
  /** The client's path of a field of `body`. Undefined: all fields have the same path. */
  readonly pathOf?: ((path: string) => string) | undefined;
  /** Set if clients must always send an output limit: translation then lowers it to the model's limit. */
  readonly capsOutput?: boolean;
}

export interface ReplyCall {
  /** `chatcmpl-…`, unique. */
  readonly id: string;
  readonly startedAt: Date;
  /** Its `model` is the name that the client sent. */
  readonly request: ChatCompletionRequest;
  readonly estimatedInputTokens: number;
}

/**
 * Writes one answer. Of an answer that came natively, the parts carry the upstream's own text in `nativeText` or
 * `nativeEvents`; all parts of one answer are either native or not.
 */
export interface Reply {
  /** SSE text that is sent while the upstream is silent. */
  readonly heartbeat: string;

  /** The JSON text of an answer that is not streamed; its usage is final. */
  whole(completion: ChatCompletion): string;

  /** The SSE text of a chunk, or '' if the client gets no event for it. */
  next(chunk: ChatCompletionChunk): string;

  /** The SSE text that ends a stream after its last chunk. */
  end(): string;

  /** The SSE text that ends a stream with an error. */
  fail(error: GatewayError): string;
}
