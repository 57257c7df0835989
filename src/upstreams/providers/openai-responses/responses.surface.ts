import { BEARER } from '../../client/auth/api-key.scheme.js';
import type { SigningScheme } from '../../client/auth/signer.js';
import type { NativeResponsesSurface } from './native.api.js';

/** The differences between the Responses APIs of upstreams. */
export interface ResponsesSurface extends NativeResponsesSurface {
  readonly protocol: string;
  readonly auth: SigningScheme;
}

/** The Responses API of OpenAI and compatible servers. */
export const responsesSurface: ResponsesSurface = {
  protocol: 'openai-responses',
  path: () => '/responses',
  auth: BEARER,
};
