import type { AuthScheme } from '../../../config/upstream-protocol.js';
import type { ChatCompletion } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeApiName } from '../../contract/native.body.js';
import type {
  NativeApi,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
  UpstreamHeaders,
} from '../../contract/provider.adapter.js';
import type { UpstreamError } from '../../contract/upstream.error.js';
import { toError } from '../openai/failure.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { ResponsesChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { failureReading } from './failure.js';
import { NativeResponses } from './native.api.js';
import { isForwarded, toRequestBody } from './request-body.js';
import type { ResponsesSurface } from './responses.surface.js';

/**
 * Adapter for OpenAI's Responses API, which some models require for function tools (`openai` package,
 * resources/responses/responses.d.ts).
 *
 * - Nothing is stored upstream unless the caller sets `store`, so each call contains the whole conversation.
 * - Encrypted reasoning before a tool call is sent to the client in the call's `extra_content.openai.reasoning_items`,
 *   and the client returns it there (SDKs preserve unknown fields of a tool call). Without it the conversation is still
 *   valid.
 * - Fields that the API does not have are a 400: `stop`, `seed`, the penalties, `logit_bias`, `n`, `prediction` and
 *   audio.
 */
export class OpenAiResponsesAdapter implements ProviderAdapter {
  readonly protocol: string;
  readonly framing = 'sse';
  readonly auth: AuthScheme;
  readonly capabilities = supporting([
    'json_object',
    'json_schema',
    'logprobs',
    'file_input',
    'image_address',
    'tool_images',
    'custom_tools',
    'web_search',
  ]);
  readonly fromStream = chunkStream((call, emit) => new ResponsesChunkReader(call, this.failures, emit));
  private readonly failures: ReturnType<typeof failureReading>;
  private readonly native: NativeApi;

  constructor(private readonly surface: ResponsesSurface) {
    this.protocol = surface.protocol;
    this.auth = surface.auth;
    this.failures = failureReading(surface);
    const { path, refineFailure } = surface;
    this.native = new NativeResponses({ path, failures: { ...(refineFailure && { refineFailure }) } });
  }

  nativeApi(api: NativeApiName): NativeApi | null {
    return api === 'responses' ? this.native : null;
  }

  toRequest(call: ProviderCall): ProviderRequest {
    return {
      method: 'POST',
      path: this.surface.path(call),
      headers: {},
      body: toRequestBody(call),
      ignored: ignoredFields(call.request, isForwarded),
    };
  }

  fromResponse(body: unknown, call: ProviderCall): ChatCompletion {
    return toCompletion(body, call, this.failures);
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return toError(status, headers, body, call, this.failures);
  }
}
