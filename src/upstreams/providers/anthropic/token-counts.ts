import { countOf, isObject } from '../../contract/json.js';
import type { NativeCounts } from '../../contract/provider.adapter.js';
import { toEndpoint } from './endpoint.js';

/** `POST /v1/messages/count_tokens`, which Vertex AI does not have at this place. */
export const tokenCounts: NativeCounts = {
  toRequest(call, { fields, headers }) {
    if (call.settings.project !== undefined) return null;
    const request = toEndpoint(call, { ...fields, model: call.upstreamModel }, headers);
    return { ...request, path: '/v1/messages/count_tokens' };
  },
  fromResponse: (body) => (isObject(body) ? countOf(body.input_tokens) : undefined),
};
