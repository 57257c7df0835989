import type { ChatCompletionRequest, ChatTool, FunctionTool, ToolChoice } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';

/** The functions of a request, without those that `allowed_tools` excludes. */
export function offeredFunctions({ tools, tool_choice: choice }: ChatCompletionRequest): FunctionTool[] {
  const allowed = allowedNames(choice);
  const functions = functionTools(tools);
  return allowed ? functions.filter((tool) => allowed.includes(tool.function.name)) : functions;
}

export function functionTools(tools: readonly ChatTool[] | null | undefined): FunctionTool[] {
  return (tools ?? []).filter((tool) => tool.type === 'function');
}

/** The functions that a choice allows; undefined if it allows all. */
export function allowedNames(choice: ToolChoice | undefined): string[] | undefined {
  if (!isObject(choice) || choice.type !== 'allowed_tools') return undefined;
  return choice.allowed_tools.tools.flatMap((tool) => (isObject(tool.function) ? [String(tool.function.name)] : []));
}

/** Whether the model must call a tool. */
export function mustCall(choice: ToolChoice | undefined): boolean {
  if (!isObject(choice)) return choice === 'required';
  return choice.type !== 'allowed_tools' || choice.allowed_tools.mode === 'required';
}

/** The name of the function that must be called; undefined if the model may call any. */
export function chosenName(choice: ToolChoice | undefined): string | undefined {
  return isObject(choice) && choice.type === 'function' ? choice.function.name : undefined;
}

export const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Adds `type`, which callers may omit. */
export function objectSchema(parameters: JsonObject | undefined): JsonObject {
  if (!parameters || Object.keys(parameters).length === 0) return NO_PARAMETERS;
  return parameters.type === undefined ? { type: 'object', ...parameters } : parameters;
}
