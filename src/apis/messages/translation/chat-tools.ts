import type { FunctionTool, ResponseFormat, ToolChoice } from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { LONGEST_NAME, shortName } from '../../shared/tool-arguments.js';
import type { MessagesRequest, ToolChoiceParam, ToolParam } from '../request/messages.types.js';
import { isOwnTool, isWebSearch } from '../request/tool.checks.js';
import { cacheMark, type Losses } from './content-parts.js';

/** `tools`, `tool_choice` and `parallel_tool_calls`; empty if the client offers no tools of its own. */
export function toChatTools({ tools, tool_choice: choice }: MessagesRequest, losses: Losses): JsonObject {
  const functions: JsonObject[] = [];
  for (const [index, tool] of (tools ?? []).entries()) {
    if (isOwnTool(tool)) functions.push(toFunctionTool(tool, index, losses));
    else if (isWebSearch(tool)) losses.drop(`tools[${index}]`);
    else losses.refuse(`tools[${index}].type`);
  }
  if (choice?.type === 'tool' && !tools?.some((tool) => isOwnTool(tool) && tool.name === choice.name)) {
    losses.refuse('tool_choice.name');
  }
  if (functions.length === 0) return {};
  return {
    tools: functions,
    ...(choice && { tool_choice: toToolChoice(choice) }),
    ...(choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use === true && ONE_AT_MOST),
  };
}

const ONE_AT_MOST = { parallel_tool_calls: false };

function toFunctionTool(tool: ToolParam, index: number, losses: Losses): JsonObject & FunctionTool {
  const { name, description, input_schema: parameters, strict } = tool;
  const isStrict = strict === true && canBeStrict(parameters);
  if (strict === true && !isStrict) losses.drop(`tools[${index}].strict`);
  return {
    type: 'function',
    function: { name: offeredName(name), ...(description && { description }), parameters, ...(isStrict && { strict }) },
    ...cacheMark(tool, losses),
  };
}

function toToolChoice(choice: ToolChoiceParam): ToolChoice {
  switch (choice.type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: offeredName(choice.name) } };
    default:
      return choice.type;
  }
}

/** The name of a tool for translated targets; the same in every turn. Anthropic's names have up to 128 characters. */
export function offeredName(name: string): string {
  return name.length <= LONGEST_NAME ? name : shortName(name);
}

/** Offered name → the client's name, for tools whose names differ. */
export function clientNames({ tools }: MessagesRequest): ReadonlyMap<string, string> {
  const long = tools?.filter(({ name }) => typeof name === 'string' && name.length > LONGEST_NAME) ?? [];
  return new Map(long.map(({ name }) => [offeredName(name), name]));
}

export function toResponseFormat(request: MessagesRequest): ResponseFormat | undefined {
  const format = request.output_config?.format ?? request.output_format;
  if (!format) return undefined;
  const { schema } = format;
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: canBeStrict(schema) } };
}

/**
 * Whether OpenAI's strict mode accepts a schema. From its errors: "'required' is required to be supplied and to be an
 * array including every key in properties", "'additionalProperties' is required to be supplied and to be false".
 */
function canBeStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  return !(isObject(schema) && isOpenObject(schema)) && Object.values(schema).every(canBeStrict);
}

function isOpenObject({ type, properties, required, additionalProperties }: ReadonlyJsonObject): boolean {
  if (type !== 'object' || (properties !== undefined && !isObject(properties))) return false;
  const needed = Array.isArray(required) ? required : [];
  return additionalProperties !== false || Object.keys(properties ?? {}).some((name) => !needed.includes(name));
}
