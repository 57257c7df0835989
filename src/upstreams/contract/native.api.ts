import type { OperatorFunction } from 'rxjs';
import type { ChatCompletion, ChatCompletionChunk } from './chat.types.js';
import type { JsonObject } from './json.js';
import type { Framing, ProviderCall, ProviderRequest, UpstreamEvent, UpstreamHeaders } from './provider.adapter.js';
import type { UpstreamError } from './upstream.error.js';

/** APIs other than Chat Completions that some upstreams speak themselves. */
export type NativeApiName = 'responses' | 'messages';

/** A client's request in the form of a native API: its own fields, unknown ones included, in their own order. */
export interface NativeBody {
  readonly api: NativeApiName;
  readonly fields: Readonly<JsonObject>;
  /** `anthropic-beta`, `anthropic-version`. */
  readonly headers: Readonly<Record<string, string>>;
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

  /** Reads a whole response for the ledger, and adds the text for the client as `nativeText`. */
  fromResponse(text: string, call: ProviderCall): ChatCompletion;

  /** Reads a stream for the ledger; every event that the client gets is in `nativeEvents` of one chunk. */
  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk>;

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError;
}
