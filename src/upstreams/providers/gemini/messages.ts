import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { hasPrefill, unsupportedPrefill } from '../shared/prefill.js';
import { ToolArguments } from '../shared/tool-arguments.js';
import type { ToolRenaming } from '../shared/tool-renaming.js';
import { Turns } from '../shared/turns.js';
import { unsupportedAudio } from '../shared/unsupported.js';
import { textParts, userParts } from './content.js';
import { callId } from './endpoint.js';
import { acceptsPrefill, isGemini3OrLater } from './model-generation.js';
import { NO_SIGNATURE, signatureOf } from './thoughts.js';
import { FunctionResults } from './tool-results.js';
import { functionNames } from './tools.js';

export interface Conversation {
  /** Roles alternate; the user is first and, unless the answer is prefilled, last. No parts are empty. */
  contents: { role: 'user' | 'model'; parts: JsonObject[] }[];
  systemInstruction?: { parts: JsonObject[] };
}

/**
 * System and developer messages move before the conversation. Consecutive messages of one role become one turn, with
 * the results of parallel calls first, in the order of the calls.
 */
export function toMessages(call: ProviderCall): Conversation {
  const turns = new Turns<JsonObject>((text) => ({ text }));
  const instructions: JsonObject[] = [];
  const names = functionNames(call);
  const toolArguments = new ToolArguments();
  const results = new FunctionResults(call, names, toolArguments);

  for (const [index, message] of call.request.messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role !== 'tool') turns.add('user', results.take());
    switch (message.role) {
      case 'system':
      case 'developer':
        instructions.push(...textParts(message.content));
        break;
      case 'user':
        turns.add('user', userParts(message.content, `${path}.content`));
        break;
      case 'assistant':
        turns.add('assistant', modelParts(message, { path, call, names, toolArguments }));
        results.expect(message);
        break;
      case 'tool':
        results.add(message, path);
    }
  }
  turns.add('user', results.take());

  const prefilled = hasPrefill(call);
  if (prefilled && !acceptsPrefill(call.upstreamModel)) throw unsupportedPrefill(call);
  const { system, turns: inTurn } = turns.withSystem(instructions, prefilled);
  const contents = inTurn.map(
    ({ role, content }) => ({ role: role === 'user' ? role : 'model', parts: content }) as const,
  );
  return system.length > 0 ? { contents, systemInstruction: { parts: system } } : { contents };
}

interface Context {
  /** The message's path, for errors. */
  path: string;
  call: ProviderCall;
  names: ToolRenaming;
  toolArguments: ToolArguments;
}

/** Earlier output, with its signatures and without its reasoning text. */
function modelParts(message: AssistantMessage, context: Context): JsonObject[] {
  const parts = [...textParts(message.content), ...textParts(message.refusal)];
  if (parts.length === 0 && message.audio) throw unsupportedAudio(context.path);
  const last = parts.at(-1);
  const signature = signatureOf(message);
  if (last && signature !== undefined) last.thoughtSignature = signature;

  const calls = (message.tool_calls ?? []).map((toolCall) => functionCallPart(toolCall, context));
  const [first] = calls;
  if (first && first.thoughtSignature === undefined && isGemini3OrLater(context.call.upstreamModel)) {
    first.thoughtSignature = NO_SIGNATURE;
  }
  return [...parts, ...calls];
}

function functionCallPart(toolCall: ToolCall, { call, names, toolArguments }: Context): JsonObject {
  const { name, input } = toolArguments.of(toolCall);
  const signature = signatureOf(toolCall);
  return {
    functionCall: { ...callId(toolCall.id, call), name: names.toApi(name), args: input },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}
