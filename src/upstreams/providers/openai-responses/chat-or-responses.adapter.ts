import type { OperatorFunction } from 'rxjs';
import { invalidRequest } from '../../../common/gateway.error.js';
import type { AuthScheme } from '../../../config/upstream-protocol.js';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  ChatMessage,
} from '../../contract/chat.types.js';
import type { NativeApiName } from '../../contract/native.body.js';
import type {
  EmbeddingsApi,
  NativeApi,
  NativeTarget,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
  UpstreamEvent,
  UpstreamHeaders,
} from '../../contract/provider.adapter.js';
import type { UpstreamError } from '../../contract/upstream.error.js';
import { hasFunctionTools } from '../openai/tools.js';
import { unsupportedField } from './unsupported.js';

/**
 * For upstreams with both APIs under one base URL and credential. Chat Completions serves all calls, except those with
 * function tools for models that reason with them only in the Responses API, and those with images in tool results,
 * which Chat Completions does not support.
 *
 * "Function tools with reasoning_effort are not supported for gpt-5.6-sol in /v1/chat/completions. To use function
 * tools, use /v1/responses or set reasoning_effort to 'none'." GPT-5.4 returns this if an effort is set, GPT-5.6 also
 * if none is (openai/openai-openapi#541, danny-avila/LibreChat#14355).
 */
export class ChatOrResponsesAdapter implements ProviderAdapter {
  readonly protocol: string;
  readonly framing = 'sse';
  readonly auth: AuthScheme;
  readonly entryKeys: ProviderAdapter['entryKeys'];
  readonly capabilities: ProviderAdapter['capabilities'];
  readonly takesForeignValues: boolean;
  readonly passesLists: boolean;
  readonly takesCacheKey: boolean;

  constructor(
    private readonly chat: ProviderAdapter,
    private readonly responses: ProviderAdapter,
    private readonly hasResponses: (target: NativeTarget) => boolean = () => true,
  ) {
    this.protocol = chat.protocol;
    this.auth = chat.auth;
    this.entryKeys = chat.entryKeys;
    this.takesForeignValues = chat.takesForeignValues ?? false;
    this.passesLists = chat.passesLists ?? false;
    this.takesCacheKey = chat.takesCacheKey ?? false;
    this.capabilities = { ...chat.capabilities, tool_images: true };
  }

  nativeApi(api: NativeApiName, target: NativeTarget): NativeApi | null {
    return this.hasResponses(target) ? (this.responses.nativeApi?.(api, target) ?? null) : null;
  }

  textCompletions(target: NativeTarget): NativeApi | null {
    return this.chat.textCompletions?.(target) ?? null;
  }

  embeddings(target: NativeTarget): EmbeddingsApi | null {
    return this.chat.embeddings?.(target) ?? null;
  }

  toRequest(call: ProviderCall): ProviderRequest {
    return this.serving(call).toRequest(call);
  }

  fromResponse(body: unknown, call: ProviderCall): ChatCompletion {
    return this.serving(call).fromResponse(body, call);
  }

  fromStream(call: ProviderCall): OperatorFunction<UpstreamEvent, ChatCompletionChunk> {
    return this.serving(call).fromStream(call);
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return this.serving(call).toError(status, headers, body, call);
  }

  /**
   * Deterministic for a call. Requests that only Chat Completions can express are sent there without reasoning. If they
   * also set an effort, the Responses API is chosen, which refuses the unsupported field.
   */
  private serving(call: ProviderCall): ProviderAdapter {
    const { request, reasonsWithoutTools } = call;
    const image = toolImage(request);
    if (image !== undefined) {
      if (this.hasResponses(call)) return this.responses;
      const message = 'This model does not accept an image in a tool result. Send the image in a user message.';
      throw invalidRequest('unsupported_value', image, message);
    }
    const effort = request.reasoning_effort ?? null;
    const refused = effort === null ? reasonsWithoutTools === 'always' : reasonsWithoutTools && effort !== 'none';
    if (!refused || !hasFunctionTools(request) || !this.hasResponses(call)) return this.chat;
    return effort === null && unsupportedField(request) !== undefined ? this.chat : this.responses;
  }
}

/** The path of the first image in a tool result. */
function toolImage({ messages }: ChatCompletionRequest): string | undefined {
  for (let index = 0; index < messages.length; index++) {
    const at = imageIn(messages[index] as ChatMessage);
    if (at >= 0) return `messages[${index}].content[${at}]`;
  }
  return undefined;
}

function imageIn({ role, content }: ChatMessage): number {
  return role === 'tool' && Array.isArray(content) ? content.findIndex(({ type }) => type === 'image_url') : -1;
}
