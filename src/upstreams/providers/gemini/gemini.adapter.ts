import type { EntryKeys } from '../../../config/upstream-protocol.js';
import { keyHeader } from '../../client/auth/api-key.scheme.js';
import { GOOGLE } from '../../client/auth/google.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { GeminiChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { endpointPath, tierHeaders } from './endpoint.js';
import { refusal } from './failure.js';
import { isTaken, toRequestBody } from './request-body.js';

/**
 * Google's generateContent, of the Gemini API and of Vertex AI (upstreams.yaml: `project`, `location`, `auth: google`).
 *
 * Thought signatures, which Gemini 3 wants back with its function calls, travel in `extra_content.google` of the tool
 * call, and that of a text in `extra_content.google` of the message: whoever hands the message back as it came returns
 * them. A call that has lost its signature is sent with the stand-in that Google documents, so the conversation goes on.
 *
 * `parallel_tool_calls: false` is kept by handing on the first call of an answer only, since the API cannot be told.
 */
export class GeminiAdapter implements ProviderAdapter {
  readonly protocol = 'gemini';
  readonly framing = 'sse';
  readonly auth = keyHeader('x-goog-api-key');
  readonly namedAuths = { google: GOOGLE };
  readonly entryKeys: EntryKeys = {
    apiVersion: {},
    project: { requiredWith: 'google' },
    location: { requiredWith: 'google' },
  };
  readonly argumentsAreValues = true;
  readonly capabilities = {
    json_object: true,
    json_schema: true,
    multiple_choices: true,
    logprobs: true,
    audio_input: true,
    audio_output: false,
    file_input: true,
    image_address: true,
    tool_images: true,
    custom_tools: false,
    functions: false,
    logit_bias: false,
    web_search: true,
  };

  readonly fromResponse = toCompletion;
  readonly fromStream = chunkStream((call, emit) => new GeminiChunkReader(call, emit));
  readonly toError = refusal;

  toRequest(call: ProviderCall): ProviderRequest {
    return {
      method: 'POST',
      path: endpointPath(call),
      headers: tierHeaders(call),
      body: toRequestBody(call),
      ignored: ignoredFields(call.request, isTaken),
    };
  }
}
