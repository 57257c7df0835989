import type {
  AssistantMessage,
  CalledFunction,
  ChatChoice,
  ChatChunkChoice,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
  ChatMessage,
  FinishReason,
  FunctionTool,
  ToolChoice,
} from '../../contract/chat.types.js';
import { isObject, type JsonObject, textsIn } from '../../contract/json.js';
import { type NameForm, validName } from './tool-calls.js';

/** Whether a request or its messages use `functions` or `function_call`. */
export function usesFunctions({ functions, function_call, messages }: ChatCompletionRequest): boolean {
  return functions != null || function_call != null || messages.some(isOfFunctions);
}

/** Whether the answer must use `function_call`. */
export function wantsFunctionCall({ functions, tools }: ChatCompletionRequest): boolean {
  return Array.isArray(functions) && functions.length > 0 && (tools ?? []).length === 0;
}

/**
 * Converts a request to `tools`. Functions have no ids and no parallel calls, so a call's id is its number in the
 * conversation, and a result belongs to the last call with its name, as in OpenAI's migration guide.
 */
export function withTools(request: ChatCompletionRequest): ChatCompletionRequest {
  const { functions, function_call: choice, ...rest } = request;
  const translated: ChatCompletionRequest = { ...rest, messages: messagesWithTools(request.messages) };
  if (!Array.isArray(functions) || functions.length === 0) return translated;
  const chosen = request.tool_choice ?? toToolChoice(choice);
  return {
    ...translated,
    tools: [
      ...(request.tools ?? []),
      ...functions.map((described): FunctionTool => ({ type: 'function', function: described })),
    ],
    ...(chosen !== undefined && { tool_choice: chosen }),
    ...(wantsFunctionCall(request) && { parallel_tool_calls: false }),
  };
}

export function withFunctionCall(completion: ChatCompletion): ChatCompletion {
  return { ...completion, choices: completion.choices.map(legacyChoice) };
}

/** Drops calls after the first, as the older format has only one. */
export function chunkWithFunctionCall(chunk: ChatCompletionChunk): ChatCompletionChunk {
  return { ...chunk, choices: chunk.choices.map(legacyChunkChoice) };
}

/** The texts of calls after the first. */
export function laterCallsIn({ choices }: ChatCompletionChunk): string {
  const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
  return textsIn(calls.filter(({ index }) => index > 0).map((call) => call.function));
}

function isOfFunctions(message: ChatMessage): boolean {
  return message.role === 'function' || (message.role === 'assistant' && message.function_call != null);
}

function toToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === 'none' || choice === 'auto') return choice;
  return isObject(choice) ? { type: 'function', function: { name: String(choice.name) } } : undefined;
}

function messagesWithTools(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(isOfFunctions)) return messages;
  const ids = new Map<string, string>();
  let calls = 0;
  return messages.map((message) => {
    if (message.role === 'assistant' && message.function_call) {
      calls += 1;
      const id = `call_function_${calls}`;
      ids.set(message.function_call.name, id);
      return messageWithToolCall(message, message.function_call, id);
    }
    if (message.role !== 'function') return message;
    const id = ids.get(message.name) ?? `call_function_${calls}`;
    return { role: 'tool', tool_call_id: id, content: message.content ?? '' };
  });
}

/** Further fields of the call, such as a signature, move to the tool call. */
function messageWithToolCall(message: AssistantMessage, called: JsonObject, id: string): AssistantMessage {
  const { function_call, ...rest } = message;
  const { name, arguments: text, ...extra } = called;
  const call = { ...extra, id, type: 'function' as const, function: { name: String(name), arguments: String(text) } };
  return { ...rest, tool_calls: [...(message.tool_calls ?? []), call] };
}

function legacyChoice(choice: ChatChoice): ChatChoice {
  const { tool_calls: calls, ...message } = choice.message;
  const [call] = calls ?? [];
  if (call?.type !== 'function') return choice;
  const { id, type, function: called, ...extra } = call;
  const finish_reason = legacyReason(choice.finish_reason);
  return { ...choice, message: { ...message, function_call: { ...called, ...extra } }, finish_reason };
}

function legacyChunkChoice(choice: ChatChunkChoice): ChatChunkChoice {
  const { tool_calls: calls, ...delta } = choice.delta;
  const finish_reason = choice.finish_reason && legacyReason(choice.finish_reason);
  const pieces = (calls ?? []).filter(({ index }) => index === 0);
  if (pieces.length === 0) return { ...choice, delta, finish_reason };
  const function_call: CalledFunction = {};
  for (const { index, id, type, function: called = {}, ...extra } of pieces) {
    if (called.name !== undefined) function_call.name = called.name;
    if (called.arguments !== undefined) {
      function_call.arguments = `${function_call.arguments ?? ''}${called.arguments}`;
    }
    Object.assign(function_call, extra);
  }
  return { ...choice, delta: { ...delta, function_call }, finish_reason };
}

function legacyReason(reason: FinishReason): FinishReason {
  return reason === 'tool_calls' ? 'function_call' : reason;
}

/** Function names in OpenAI's format and most others. Earlier calls may have any name. */
export const FUNCTION_NAMES: NameForm = {
  valid: /^[A-Za-z0-9_-]{1,64}$/,
  repair: (name) => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool',
};

/** Converts a custom tool call for APIs that only have functions: its input becomes an argument. */
export function asFunctionCall(call: JsonObject): JsonObject {
  if (!isObject(call.custom)) return call;
  const { custom, ...rest } = call;
  const called = { name: custom.name, arguments: JSON.stringify({ input: custom.input }) };
  return { ...rest, type: 'function', function: called };
}

export function withValidName(call: JsonObject, form: NameForm): JsonObject {
  const { function: called } = call;
  if (!isObject(called) || typeof called.name !== 'string') return call;
  const name = validName(called.name, form);
  return name === called.name ? call : { ...call, function: { ...called, name } };
}
