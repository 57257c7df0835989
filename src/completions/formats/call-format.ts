import type { Request } from 'express';
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
 * How the clients of one API write calls and read answers. A format is pure: no I/O, and it knows no provider. All
 * calls share the inner form, OpenAI's Chat Completions: limits, routing and metering see only that.
 */
export interface CallFormat {
  /** As in ledger rows, metrics and logs, for example `responses`. */
  readonly api: string;

  /** Lists and objects of the body go to native targets as the bytes received, also short ones. */
  readonly keepsBytes?: boolean;

  /** Parses the JSON of bodies below 4 MB; absent: `JSON.parse`. */
  readonly parse?: (text: string) => unknown;

  /** Throws a `GatewayError` 400 that names the invalid field. */
  read(body: unknown, request: Pick<Request, 'headers' | 'path'>): ClientCall;
}

/** A valid request of a client. */
export interface ClientCall {
  /** In the inner form. A format that needs the usage at the end of a stream sets `stream_options.include_usage`. */
  readonly request: ChatCompletionRequest;
  /**
   * The request as limits and prices read it: `request`, or with what it lacks for native targets: hosted tools as
   * entries of `tools` with their `type`, and other content that such a target reads.
   */
  readonly charged: ChatCompletionRequest;
  /** For targets that speak the client's API themselves; null: all targets get the inner form. */
  readonly native: NativeRequest | null;
  /** The same call without web search, for models that have no price for it; undefined: it asks for none. */
  readonly withoutWebSearch?: (() => ClientCall) | undefined;
  /** Rejects with a `GatewayError` 400 for a request that the model cannot serve, where only counting tokens tells. */
  check?(model: Model, tokens: Pick<TokenCounter, 'count'>): Promise<void>;
  /**
   * The client's path of a field of the inner form, for errors and ignored parameters. It does not get the paths that
   * `native` tells. Undefined: all fields have the same path.
   */
  readonly pathOf?: ((path: string) => string) | undefined;
  /** Creates the reply of this call. */
  reply(call: ReplyCall): Reply;
}

export interface NativeRequest {
  readonly body: NativeBody;
  /** Paths of fields that have no effect on targets that need a translation; told in `x-gateway-ignored-parameters`. */
  readonly untranslated: readonly string[];
  /** The 400 for targets that need a translation, when a field cannot be translated; null: all can. */
  readonly untranslatable: GatewayError | null;
  /** Paths of fields that no target gets, told in the same header. */
  readonly leftOut?: readonly string[];
  /**
   * The path of the first reference to files or stores in the provider's account, which only models with `providerFiles`
   * allow; null: none; undefined: the inner form has them all.
   */
  readonly accountFile?: string | null;
  /** Fields of the inner form that models without the feature do without, with their paths in the client's form. */
  readonly optional?: ReadonlyMap<string, string>;
  /** The client must always send an output limit: in a translation, one above the model's own is lowered to that. */
  readonly capsOutput?: boolean;
}

export interface ReplyCall {
  /** `chatcmpl-…`, unique. */
  readonly id: string;
  readonly startedAt: Date;
  /** Its `model` is the name as the client wrote it. */
  readonly request: ChatCompletionRequest;
  readonly estimatedInputTokens: number;
}

/**
 * Writes one answer. Of an answer that came natively, the parts carry the upstream's own text in `nativeText` or `nativeEvents`; all parts of
 * one answer are either native or not.
 */
export interface Reply {
  /** SSE text that is sent while the upstream is silent. */
  readonly heartbeat: string;

  /** The JSON text of a whole answer; its usage is final. */
  whole(completion: ChatCompletion): string;

  /** The SSE text of a chunk, or '' if the client gets nothing for it. */
  next(chunk: ChatCompletionChunk): string;

  /** The SSE text that ends a stream after its last chunk. */
  end(): string;

  /** The SSE text that ends a stream with an error. */
  fail(error: GatewayError): string;
}
