import { invalidRequest } from '../../../common/gateway.error.js';
import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { toolArguments } from '../tool-arguments.js';
import type { ToolRenaming } from '../tool-renaming.js';
import { textParts, userParts } from './content.js';
import { callId } from './endpoint.js';
import { demandsSignatures } from './model-generation.js';
import { NO_SIGNATURE, signatureOf } from './thoughts.js';
import { FunctionResults } from './tool-results.js';
import { functionNames } from './tools.js';

export interface Turn {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** A conversation in the API's form. */
export interface Conversation {
  /** User and model take turns, the user first and last; no part is empty. */
  contents: Turn[];
  systemInstruction?: { parts: JsonObject[] };
}

/** The first and the last word are the user's; these stand in where the caller's conversation has none. */
const OPENING = 'Begin.';
const CLOSING = 'Continue.';

/**
 * Messages → turns. What the system or developer says goes before the conversation, wherever it stood. Messages of one
 * side in a row are one turn; the results of parallel calls stand first in theirs, in the order of the calls.
 */
export function toMessages(call: ProviderCall): Conversation {
  const contents: Turn[] = [];
  const system: JsonObject[] = [];
  const names = functionNames(call);
  const results = new FunctionResults(call, names);

  for (const [index, message] of call.request.messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role !== 'tool') append(contents, 'user', results.take());
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...textParts(message.content));
        break;
      case 'user':
        append(contents, 'user', userParts(message.content, `${path}.content`));
        break;
      case 'assistant':
        append(contents, 'model', modelParts(message, path, call, names));
        results.expect(message);
        break;
      case 'tool':
        results.add(message, path);
    }
  }
  append(contents, 'user', results.take());

  if (contents.length === 0)
    return { contents: [{ role: 'user', parts: system.length > 0 ? system : saying(OPENING) }] };
  if (contents[0]?.role === 'model') contents.unshift({ role: 'user', parts: saying(OPENING) });
  if (contents.at(-1)?.role === 'model') append(contents, 'user', saying(CLOSING));
  return system.length > 0 ? { contents, systemInstruction: { parts: system } } : { contents };
}

function saying(text: string): JsonObject[] {
  return [{ text }];
}

function append(contents: Turn[], role: Turn['role'], parts: JsonObject[]): void {
  if (parts.length === 0) return;
  const last = contents.at(-1);
  if (last?.role === role) last.parts.push(...parts);
  else contents.push({ role, parts });
}

/** What the model said and called before, with the signatures that came with it. Its thoughts are not told again. */
function modelParts(message: AssistantMessage, path: string, call: ProviderCall, names: ToolRenaming): JsonObject[] {
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
