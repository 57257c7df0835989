import type { EmbeddingBody } from './native.body.js';
import type { ProviderCall, ProviderRequest } from './provider.adapter.js';

/** Numbers, or base64 of little-endian 32-bit floats. */
export type Vector = readonly number[] | string;

export interface EmbeddingAnswer {
  /** In the order of the inputs. */
  readonly vectors: readonly Vector[];
  /** Undefined: not reported. */
  readonly inputTokens?: number | undefined;
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
