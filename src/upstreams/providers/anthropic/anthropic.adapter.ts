import { keyHeader } from '../../client/auth/api-key.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeApiName } from '../../contract/native.body.js';
import type { NativeApi, ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { supporting } from '../shared/capabilities.js';
import { hasStructuredOutputs } from '../shared/claude.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { lostStrictness } from '../shared/lost-strictness.js';
import { AnthropicChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { ENTRY_KEYS, toEndpoint } from './endpoint.js';
import { toError } from './failure.js';
import { NativeMessages } from './native.api.js';
import { isForwarded, toRequestBody } from './request-body.js';

/**
 * Adapter for Anthropic's Messages API, also for Claude on Vertex AI (upstreams.yaml: `project`, `location`, `auth:
 * google`).
 *
 * The API signs the model's reasoning before a tool call and requires it back with the tool result. The gateway stores
 * nothing: the signed blocks are in the tool call's `extra_content.anthropic`, and SDKs preserve unknown fields of tool
 * calls, streamed or not. If a client drops them and the model would insist on them, thinking is disabled. A JSON
 * schema that structured outputs do not support becomes the schema of an answer tool, whose input becomes the content.
 */
export class AnthropicAdapter implements ProviderAdapter {
  readonly protocol = 'anthropic';
  readonly framing = 'sse';
  readonly auth = keyHeader('x-api-key');
  readonly entryKeys = ENTRY_KEYS;
  readonly argumentsAreValues = true;
  readonly capabilities = supporting([
    'json_object',
    'json_schema',
    'file_input',
    'image_address',
    'tool_images',
    'web_search',
  ]);

  readonly fromResponse = toCompletion;
  readonly fromStream = chunkStream((call, emit) => new AnthropicChunkReader(call, emit));
  readonly toError = toError;
  private readonly native = new NativeMessages();

  nativeApi(api: NativeApiName): NativeApi | null {
    return api === 'messages' ? this.native : null;
  }

  toRequest(call: ProviderCall): ProviderRequest {
    const isStrict = hasStructuredOutputs(call.upstreamModel);
    const lost = lostStrictness(call.request, { tools: isStrict, format: isStrict });
    return {
      ...toEndpoint(call, toRequestBody(call)),
      ignored: [...ignoredFields(call.request, isForwarded), ...lost],
    };
  }
}
