import { UNKNOWN_TRAITS } from '../../src/config/models.settings.js';
import type { ChatCompletionRequest } from '../../src/upstreams/contract/chat.types.js';
import type { ProviderCall } from '../../src/upstreams/contract/provider.adapter.js';
import { deepFreeze } from './deep-freeze.js';

/** A call to an upstream with these request fields; frozen, since no adapter may change it. */
export function providerCall(request: Partial<ChatCompletionRequest> = {}): ProviderCall {
  return {
    id: 'chatcmpl-abc',
    created: 1_790_000_000,
    model: 'public-model',
    upstreamModel: 'upstream-model',
    request: deepFreeze({ model: 'public-model', messages: [], ...request }),
    reasonsWithoutTools: null,
    traits: UNKNOWN_TRAITS,
    maxOutputTokens: null,
    isPaid: false,
    maxHostedCalls: null,
    settings: {},
  };
}
