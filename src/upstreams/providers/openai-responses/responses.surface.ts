import type { AuthScheme } from '../../../config/upstream-protocol.js';
import { BEARER } from '../../client/auth/api-key.scheme.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import type { FailureReading } from '../openai/failure.js';

/** What sets one upstream's Responses API apart from another's. */
export interface ResponsesSurface {
  readonly protocol: string;
  /** Behind the base URL. */
  readonly path: (call: ProviderCall) => string;
  readonly auth: AuthScheme;
  readonly refineFailure?: FailureReading['refineFailure'];
}

/** OpenAI's own, and that of any server that speaks it. */
export const responsesSurface: ResponsesSurface = {
  protocol: 'openai-responses',
  path: () => '/responses',
  auth: BEARER,
};
