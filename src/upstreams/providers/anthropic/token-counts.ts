import { countOf, isObject } from '../../contract/json.js';
import type { NativeCounts } from '../../contract/provider.adapter.js';
import { toCountEndpoint } from './endpoint.js';

/** `POST /v1/messages/count_tokens`, and its equivalent on Vertex AI. */
export const tokenCounts: NativeCounts = {
  toRequest: (call, { fields, headers }) => toCountEndpoint(call, fields, headers),
  fromResponse: (body) => (isObject(body) ? countOf(body.input_tokens) : undefined),
};
