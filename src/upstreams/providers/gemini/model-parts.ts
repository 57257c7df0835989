import { invalidRequest } from '../../../common/gateway.error.js';
import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { toolArguments } from '../tool-arguments.js';
import type { ToolRenaming } from '../tool-renaming.js';
import { callId } from './call-id.js';
import { textParts } from './content-parts.js';
import { demandsSignatures } from './model-generation.js';
import { NO_SIGNATURE, signatureOf } from './signature.js';

/** What the model said and called before, with the signatures that came with it. Its thoughts are not told again. */
export function modelParts(
  message: AssistantMessage,
  path: string,
  call: ProviderCall,
  names: ToolRenaming,
): JsonObject[] {
  const parts = [...textParts(message.content ?? ''), ...textParts(message.refusal ?? '')];
  if (parts.length === 0 && message.audio) {
    const words = "This model cannot be reminded of audio. Send the answer's transcript as 'content'.";
    throw invalidRequest('unsupported_value', `${path}.audio`, words);
  }
  const last = parts.at(-1);
  const signature = signatureOf(message);
  if (last && signature !== undefined) last.thoughtSignature = signature;

  const calls = (message.tool_calls ?? []).map((toolCall) => functionCallPart(toolCall, call, names));
  const [first] = calls;
  if (first && first.thoughtSignature === undefined && demandsSignatures(call.upstreamModel)) {
    first.thoughtSignature = NO_SIGNATURE;
  }
  return [...parts, ...calls];
}

function functionCallPart(toolCall: ToolCall, call: ProviderCall, names: ToolRenaming): JsonObject {
  const [name, args] =
    toolCall.type === 'function'
      ? [toolCall.function.name, argsOf(toolCall.function.arguments)]
      : [toolCall.custom.name, { input: toolCall.custom.input }];
  const signature = signatureOf(toolCall);
  return {
    functionCall: { ...callId(toolCall.id, call), name: names.toApi(name), args },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}

/** What is no JSON object, as a mistaken call may be, is told as it was. */
function argsOf(text: string): JsonObject {
  return toolArguments(text) ?? { arguments: text };
}
