import { EFFORTS } from '../../../config/models.settings.js';
import type { ChatCompletionRequest, ChatTool, FunctionTool, ToolChoice } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';

/** The functions of a request, without those that `allowed_tools` excludes. */
export function offeredFunctions({ tools, tool_choice: choice }: ChatCompletionRequest): FunctionTool[] {
  const names = allowedNames(choice);
  const functions = functionTools(tools);
  if (!names) return functions;
  const allowed = new Set(names);
  return functions.filter((tool) => allowed.has(tool.function.name));
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

/** A tool whose input becomes the answer, for models that cannot follow a schema in text. */
export interface AnswerTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** Whether there is no other tool, so that it must be called; otherwise the model chooses among all tools. */
  readonly alone: boolean;
  /** To call it, for a model that cannot be forced to call a tool; undefined for others. */
  readonly instruction: string | undefined;
}

/** Undefined if the request has no JSON schema. */
export function answerTool({ request, traits }: ProviderCall): AnswerTool | undefined {
  const { response_format: format, tools = [], tool_choice: choice } = request;
  if (format?.type !== 'json_schema' || !format.json_schema.schema) return undefined;
  const { description, schema } = format.json_schema;
  const names = new Set(tools.map((tool) => (tool.type === 'function' ? tool.function.name : tool.custom.name)));
  let name = 'json_answer';
  while (names.has(name)) name += '_';
  return {
    name,
    description: description?.trim() || 'Gives the answer to the user. Call it once, with the whole answer.',
    schema: { type: 'object', ...schema },
    alone: tools.length === 0 || choice === 'none',
    instruction: traits.forcedTools === false ? `Give your answer by calling the tool \`${name}\`.` : undefined,
  };
}

/** From lowest to highest. */
const SCALE: readonly string[] = EFFORTS;

/**
 * The supported level nearest to the requested effort; of two, the higher one. A request for some reasoning never
 * becomes `none`.
 */
export function nearestEffort(effort: string, given: readonly string[]): string {
  const required = SCALE.indexOf(effort);
  if (required < 0 || given.includes(effort)) return effort;
  const distance = (level: string) => Math.abs(SCALE.indexOf(level) - required);
  const [nearest = effort] = given
    .filter((level) => level !== 'none')
    .sort((one, other) => distance(one) - distance(other) || SCALE.indexOf(other) - SCALE.indexOf(one));
  return nearest;
}

/**
 * The request's effort as the model has it: the nearest of the declared ones, or else of those that its API is known to
 * have. Undefined: none was requested.
 */
export function supportedEffort(
  { request, traits }: Pick<ProviderCall, 'request' | 'traits'>,
  known: readonly string[] = [],
): string | undefined {
  const effort = request.reasoning_effort ?? undefined;
  const levels = traits.efforts ?? known;
  return effort === undefined || levels.length === 0 ? effort : nearestEffort(effort, levels);
}
