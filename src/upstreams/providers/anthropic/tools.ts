import type { FunctionTool, ToolChoice } from '../../contract/chat.types.js';
import { isObject, type JsonObject, listOf, objectOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { strictSchema } from '../shared/claude.js';
import {
  type AnswerTool,
  chosenName,
  mustCall,
  NO_PARAMETERS,
  objectSchema,
  offeredFunctions,
} from '../shared/requested-tools.js';
import type { Turn } from '../shared/turns.js';
import { cacheControl } from './messages.js';

export function toTools(call: ProviderCall, turns: readonly Turn<JsonObject>[]): JsonObject {
  const { request } = call;
  const { tool_choice: choice, parallel_tool_calls: parallel } = request;
  const offered = offeredFunctions(request);
  const search = webSearchTool(call);
  if (offered.length === 0) {
    const remembered = toolsOfHistory(turns);
    return search.length === 0 ? remembered : { tools: [...(remembered.tools ?? []), ...search] };
  }
  const chosen = toToolChoice(choice, parallel === false);
  return { tools: [...offered.map((tool) => toTool(tool, call)), ...search], ...(chosen && { tool_choice: chosen }) };
}

/** Adds the answer tool. The model must call a tool, if it can be forced: this one, if there are no others. */
export function withAnswerTool(fields: JsonObject, answer: AnswerTool | undefined): JsonObject {
  const { tools, tool_choice: chosen } = fields;
  if (!answer || (isObject(chosen) && chosen.type === 'tool')) return fields;
  const { name, description, schema } = answer;
  const limit = isObject(chosen) && chosen.disable_parallel_tool_use === true && { disable_parallel_tool_use: true };
  const withAnswer = [...listOf(tools), { name, description, input_schema: schema }];
  if (answer.instruction !== undefined) return { tools: withAnswer, tool_choice: { type: 'auto', ...limit } };
  return {
    tools: withAnswer,
    tool_choice: answer.alone ? { type: 'tool', name } : { type: 'any', ...limit },
  };
}

/** Whether the model must call a tool. */
export function isForced(choice: unknown): boolean {
  return isObject(choice) && (choice.type === 'any' || choice.type === 'tool');
}

function toTool(tool: FunctionTool, call: ProviderCall): JsonObject {
  const { name, description, parameters } = tool.function;
  const strict = strictSchema(tool, call);
  return {
    name,
    ...(description && { description }),
    input_schema: strict ?? objectSchema(parameters),
    ...(strict && { strict: true }),
    ...cacheControl(tool.function),
    ...cacheControl(tool),
  };
}

/** `WebSearchTool20250305` of the SDK, which all current models support. */
function webSearchTool({ request: { web_search_options: options }, maxHostedCalls }: ProviderCall): JsonObject[] {
  if (!isObject(options) || maxHostedCalls?.usual === 0) return [];
  const place = objectOf(options.user_location).approximate;
  return [
    {
      type: 'web_search_20250305',
      name: 'web_search',
      ...(maxHostedCalls !== null && { max_uses: maxHostedCalls.usual }),
      ...(isObject(place) && { user_location: userLocation(place) }),
    },
  ];
}

function userLocation({ city, region, country, timezone }: JsonObject): JsonObject {
  const known = Object.entries({ city, region, country, timezone }).filter(([, value]) => typeof value === 'string');
  return { type: 'approximate', ...Object.fromEntries(known) };
}

function toToolChoice(choice: ToolChoice | undefined, oneAtMost: boolean): JsonObject | undefined {
  if (choice === 'none') return { type: 'none' };
  if (!choice && !oneAtMost) return undefined;
  const limit = oneAtMost ? { disable_parallel_tool_use: true } : {};
  const name = chosenName(choice);
  return name === undefined ? { type: mustCall(choice) ? 'any' : 'auto', ...limit } : { type: 'tool', name, ...limit };
}

/**
 * Earlier tool calls require tool definitions. If the caller sends none, the tools of these calls are defined but
 * cannot be called.
 */
function toolsOfHistory(turns: readonly Turn<JsonObject>[]): { tools?: JsonObject[]; tool_choice?: JsonObject } {
  const names = new Set<unknown>();
  for (const { content } of turns) for (const { type, name } of content) if (type === 'tool_use') names.add(name);
  if (names.size === 0) return {};
  const tools = [...names].map((name) => ({ name, input_schema: NO_PARAMETERS }));
  return { tools, tool_choice: { type: 'none' } };
}
