import { BEARER } from '../../client/auth/api-key.scheme.js';
import type { SigningScheme } from '../../client/auth/signer.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import type { FailureReading } from '../openai/failure.js';

/** The differences between the Responses APIs of upstreams. */
export interface ResponsesSurface {
  readonly protocol: string;
  /** Relative to the base URL. */
  readonly path: (call: ProviderCall) => string;
  readonly auth: SigningScheme;
  readonly refineFailure?: FailureReading['refineFailure'];
}

/** The Responses API of OpenAI and compatible servers. */
export const responsesSurface: ResponsesSurface = {
  protocol: 'openai-responses',
  path: () => '/responses',
  auth: BEARER,
};
