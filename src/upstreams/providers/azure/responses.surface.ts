import { keyHeader } from '../../client/auth/api-key.scheme.js';
import type { ResponsesSurface } from '../openai-responses/responses.surface.js';
import { responsesEndpoint } from './endpoint.js';
import { refineFailure } from './failure.js';

export const azureResponses: ResponsesSurface = {
  protocol: 'azure',
  path: responsesEndpoint,
  auth: keyHeader('api-key'),
  refineFailure,
};
