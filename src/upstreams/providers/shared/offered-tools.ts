import type { ChatCompletionRequest, ChatTool, FunctionTool, ToolChoice } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';

/** The functions that a request offers, of which its choice may allow only some. */
export function offeredFunctions({ tools, tool_choice: choice }: ChatCompletionRequest): FunctionTool[] {
  const allowed = allowedNames(choice);
  const functions = functionTools(tools);
  return allowed ? functions.filter((tool) => allowed.includes(tool.function.name)) : functions;
}

export function functionTools(tools: readonly ChatTool[] | null | undefined): FunctionTool[] {
  return (tools ?? []).filter((tool) => tool.type === 'function');
}

/** The names of the functions among which a choice allows to choose; undefined where it does not say. */
export function allowedNames(choice: ToolChoice | undefined): string[] | undefined {
  if (!isObject(choice) || choice.type !== 'allowed_tools') return undefined;
  return choice.allowed_tools.tools.flatMap((tool) => (isObject(tool.function) ? [String(tool.function.name)] : []));
}

/** The schema of a function that takes nothing. */
export const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** The parameters of a function as the schema of an object with its type named, which callers may leave unsaid. */
export function objectSchema(parameters: JsonObject | undefined): JsonObject {
  if (!parameters || Object.keys(parameters).length === 0) return NO_PARAMETERS;
  return parameters.type === undefined ? { type: 'object', ...parameters } : parameters;
}
