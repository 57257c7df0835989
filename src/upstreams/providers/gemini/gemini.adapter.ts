import { keyHeader } from '../../client/auth/api-key.scheme.js';
import { GOOGLE } from '../../client/auth/google.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { embeddingsOf } from './embeddings.js';
import { endpointPath, tierHeaders } from './endpoint.js';
import { toError } from './failure.js';
import { isForwarded, toRequestBody } from './request.js';
import { GeminiChunkReader, toCompletion } from './response.js';

/**
 * Adapter for Google's generateContent, on the Gemini API and Vertex AI (upstreams.yaml: `project`, `location`, `auth:
 * google`).
 *
 * Gemini 3 requires thought signatures back with its function calls. They are in `extra_content.google` of the tool
 * call or, for text, of the message. A call without its signature is sent with Google's documented placeholder, so that
 * the conversation can continue. For `parallel_tool_calls: false` only the first call is passed on, as the API has no
 * such option.
 */
export const geminiAdapter = {
  protocol: 'gemini',
  framing: 'sse',
  auth: keyHeader('x-goog-api-key'),
  namedAuths: { google: GOOGLE },
  entryKeys: {
    apiVersion: {},
    project: { requiredWith: 'google' },
    location: { requiredWith: 'google' },
  },
  argumentsAreValues: true,
  capabilities: supporting([
    'json_object',
    'json_schema',
    'multiple_choices',
    'logprobs',
    'audio_input',
    'image_output',
    'file_input',
    'image_address',
    'tool_images',
    'web_search',
  ]),

  fromResponse: toCompletion,
  fromStream: chunkStream((call, emit) => new GeminiChunkReader(call, emit)),
  toError,
  embeddings: embeddingsOf,

  toRequest(call: ProviderCall): ProviderRequest {
    return {
      method: 'POST',
      path: endpointPath(call),
      headers: tierHeaders(call),
      body: toRequestBody(call),
      ignored: ignoredFields(call.request, isForwarded, true),
    };
  },
} satisfies ProviderAdapter;
