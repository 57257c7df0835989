import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { NativeTarget, ProviderAdapter, ProviderCall } from '../../contract/provider.adapter.js';
import { hasFunctionTools } from '../openai/tools.js';
import { unsupported } from '../shared/unsupported.js';
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
export function chatOrResponses(
  chat: ProviderAdapter,
  responses: ProviderAdapter,
  hasResponses: (target: NativeTarget) => boolean = () => true,
): ProviderAdapter {
  const serving = (call: ProviderCall) => (needsResponses(call, hasResponses(call)) ? responses : chat);
  return {
    ...chat,
    capabilities: { ...chat.capabilities, tool_images: true },
    nativeApi: (api, target) => (hasResponses(target) ? (responses.nativeApi?.(api, target) ?? null) : null),
    toRequest: (call) => serving(call).toRequest(call),
    fromResponse: (body, call) => serving(call).fromResponse(body, call),
    fromStream: (call) => serving(call).fromStream(call),
    toError: (status, headers, body, call) => serving(call).toError(status, headers, body, call),
  };
}

/**
 * Deterministic for a call. Requests that only Chat Completions can express are sent there without reasoning. If they
 * also set an effort, the Responses API is chosen, which refuses the unsupported field.
 */
function needsResponses({ request, reasonsWithoutTools }: ProviderCall, hasResponses: boolean): boolean {
  const image = toolImage(request);
  if (image !== undefined) {
    if (hasResponses) return true;
    const message = 'This model does not accept an image in a tool result. Send the image in a user message.';
    throw unsupported(image, message);
  }
  const effort = request.reasoning_effort ?? null;
  const refused = effort === null ? reasonsWithoutTools === 'always' : reasonsWithoutTools && effort !== 'none';
  if (!refused || !hasFunctionTools(request) || !hasResponses) return false;
  return effort !== null || unsupportedField(request) === undefined;
}

/** The path of the first image in a tool result. */
function toolImage({ messages }: ChatCompletionRequest): string | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'tool' || typeof content === 'string') continue;
    const at = content.findIndex(({ type }) => type === 'image_url');
    if (at >= 0) return `messages[${index}].content[${at}]`;
  }
  return undefined;
}
