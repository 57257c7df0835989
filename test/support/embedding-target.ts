import type { EmbeddingBody } from '../../src/upstreams/contract/native.body.js';
import type { NativeApi } from '../../src/upstreams/contract/provider.adapter.js';
import { PROVIDERS } from '../../src/upstreams/providers/providers.js';
import { nativeApiOf } from '../../src/upstreams/upstream-access.js';
import { providerCall } from './provider-call.js';

/** A target whose adapter is asked for embeddings. */
export interface EmbeddingTarget {
  protocol: string;
  model: string;
  settings?: Record<string, string>;
}

export function bodyOf(fields: Partial<EmbeddingBody> = {}): EmbeddingBody {
  const inputs = fields.inputs ?? ['one', 'two'];
  return {
    api: 'embeddings',
    fields: { input: inputs },
    headers: {},
    inputs,
    offset: 0,
    dimensions: null,
    encoding: 'float',
    ...fields,
  };
}

export function apiOf({ protocol, model, settings = {} }: EmbeddingTarget, body: EmbeddingBody): NativeApi | null {
  const adapter = PROVIDERS.find((one) => one.protocol === protocol);
  if (!adapter) throw new Error(`no adapter for ${protocol}`);
  return nativeApiOf(adapter, body, { upstreamModel: model, settings });
}

export function requestOf(target: EmbeddingTarget, body: EmbeddingBody) {
  const call = { ...providerCall(), upstreamModel: target.model, settings: target.settings ?? {} };
  const request = apiOf(target, body)?.toRequest(call, body);
  return request && { path: request.path, body: request.body };
}

/** The `data` that the client gets, and the reported tokens. */
export function answerOf(target: EmbeddingTarget, response: unknown, body: EmbeddingBody) {
  const completion = apiOf(target, body)?.fromResponse(JSON.stringify(response), providerCall());
  return { data: JSON.parse(`[${completion?.nativeText}]`), tokens: completion?.usage?.prompt_tokens };
}
