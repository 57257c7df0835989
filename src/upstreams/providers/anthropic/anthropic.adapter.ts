import { keyHeader } from '../../client/auth/api-key.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeApiName } from '../../contract/native.body.js';
import type { ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { supporting } from '../shared/capabilities.js';
import { enforcesSchemas } from '../shared/claude.js';
import { ignoredFields, lostStrictness } from '../shared/ignored-fields.js';
import { toError } from './failure.js';
import { NativeMessages } from './native.api.js';
import { ENTRY_KEYS, isForwarded, toEndpoint, toRequestBody } from './request.js';
import { AnthropicChunkReader, toCompletion } from './response.js';

const nativeMessages = new NativeMessages();

/**
 * Adapter for Anthropic's Messages API, also for Claude on Vertex AI (upstreams.yaml: `project`, `location`, `auth:
 * google`).
 *
 * The API signs the model's reasoning before a tool call and requires it back with the tool result. The gateway stores
 * nothing: the signed blocks are in the tool call's `extra_content.anthropic`, and SDKs preserve unknown fields of tool
 * calls, streamed or not. If a client drops them and the model would insist on them, thinking is disabled. A JSON
 * schema that structured outputs do not support becomes the schema of an answer tool, whose input becomes the content.
 */
export const anthropicAdapter = {
  protocol: 'anthropic',
  framing: 'sse',
  auth: keyHeader('x-api-key'),
  entryKeys: ENTRY_KEYS,
  argumentsAreValues: true,
  takesCacheMarks: true,
  rereadsPrompt: true,
  capabilities: supporting(['json_object', 'json_schema', 'file_input', 'image_address', 'tool_images', 'web_search']),

  fromResponse: toCompletion,
  fromStream: chunkStream((call, emit) => new AnthropicChunkReader(call, emit)),
  toError,
  nativeApi: (api: NativeApiName) => (api === 'messages' ? nativeMessages : null),

  toRequest(call: ProviderCall): ProviderRequest {
    const isStrict = enforcesSchemas(call);
    const lost = lostStrictness(call.request, { tools: isStrict, format: isStrict });
    return {
      ...toEndpoint(call, toRequestBody(call)),
      ignored: [...ignoredFields(call.request, isForwarded), ...lost],
    };
  },
} satisfies ProviderAdapter;
