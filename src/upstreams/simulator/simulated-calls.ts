import { runInNewContext } from 'node:vm';
import { generateSync, type JsonSchema } from 'json-schema-faker';
import { invalidRequest } from '../../common/gateway.error.js';
import { endOfId } from '../../common/ids.js';
import type { ChatCompletionRequest, ChatMessage, ChatTool, ToolCall } from '../contract/chat.types.js';
import { isObject, type JsonObject } from '../contract/json.js';

/** The tools to call: those that `tool_choice` requires, or that the user's last message names. */
export function simulatedCalls(request: ChatCompletionRequest, id: string): ToolCall[] {
  const { tools = [], parallel_tool_calls: parallel } = request;
  const called = calledTools(request);
  return (parallel === false ? called.slice(0, 1) : called).map((tool, index) =>
    toCall(tool, `call_${endOfId(id)}_${index}`, request.seed ?? 1, tools.indexOf(tool)),
  );
}

function calledTools({ tools, tool_choice: choice, messages }: ChatCompletionRequest): ChatTool[] {
  if (!tools || choice === 'none') return [];
  const required = requiredTools(tools, choice);
  const offered = required ?? tools;
  const named = offered.filter((tool) => isNamedIn(messages, nameOf(tool)));
  return required && named.length === 0 ? required.slice(0, 1) : named;
}

/** The tools of which one must be called; undefined if none. */
function requiredTools(
  tools: readonly ChatTool[],
  choice: ChatCompletionRequest['tool_choice'],
): readonly ChatTool[] | undefined {
  if (choice === 'required') return tools;
  if (!isObject(choice)) return undefined;
  if (choice.type === 'allowed_tools') {
    const { mode, tools: allowed } = choice.allowed_tools;
    if (mode !== 'required') return undefined;
    const names = new Set(allowed.map(nameIn));
    return tools.filter((tool) => names.has(nameOf(tool)));
  }
  return tools.filter((tool) => nameOf(tool) === nameIn(choice));
}

/** Whether the last user message names a tool that has not been called since. */
function isNamedIn(messages: readonly ChatMessage[], name: string): boolean {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[at];
  if (question === undefined || messages.slice(at).some(({ role }) => role === 'tool')) return false;
  const words = name.split(/[_\-.\s]+/).map((word) => word.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`(?<!\\w)${words.join('[_\\-.\\s]?')}(?!\\w)`, 'i').test(textOfMessage(question));
}

function textOfMessage({ content }: ChatMessage): string {
  if (content == null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}

function toCall(tool: ChatTool, id: string, seed: number, position: number): ToolCall {
  if (tool.type === 'custom') return { id, type: 'custom', custom: { name: tool.custom.name, input: 'simulated' } };
  const { name, parameters } = tool.function;
  const text = parameters ? instanceOf(parameters, seed, `tools[${position}].function.parameters`) : '{}';
  return { id, type: 'function', function: { name, arguments: text.startsWith('{') ? text : '{}' } };
}

function nameOf(tool: ChatTool): string {
  return tool.type === 'custom' ? tool.custom.name : tool.function.name;
}

function nameIn(choice: object): unknown {
  const { function: called, custom } = choice as { function?: { name?: unknown }; custom?: { name?: unknown } };
  return called?.name ?? custom?.name;
}

/** First with optional parts; if the result is too large, with required parts only. */
const WAYS = [
  { alwaysFakeOptionals: true, maxDefaultItems: 2 },
  { optionalsProbability: 0, maxDefaultItems: 1 },
];
const DEEPEST = 40;
const MAX_LENGTH = 50_000;
/** A schema may require an unlimited amount of time and memory. */
const LIMIT_MS = 250;

const TEXT = 'simulated';

/** Valid JSON for a schema, deterministic by seed; throws a 400 naming `param` if there is none. */
export function instanceOf(schema: JsonObject, seed: number, param: string): string {
  const plain = withPlainTexts(schema) as JsonSchema;
  for (const way of WAYS) {
    const text = withinLimits(() => JSON.stringify(generateSync(plain, { ...way, seed, maxDepth: DEEPEST })));
    if (text !== undefined && text.length <= MAX_LENGTH) return text;
  }
  const message =
    'The simulator cannot create an answer that matches this schema. Simplify the schema, or set the key of an upstream.';
  throw invalidRequest('unsupported_value', param, message);
}

/** Undefined on failure or timeout: V8 terminates it. */
function withinLimits(make: () => string | undefined): string | undefined {
  try {
    return runInNewContext('make()', { make }, { timeout: LIMIT_MS });
  } catch {
    return undefined;
  }
}

/** Replaces random letters with a fixed text if any string is valid. */
function withPlainTexts(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  if (isFreeText(schema)) return { ...schema, const: TEXT };
  const changed = Object.entries(schema).map(([keyword, value]) => [keyword, changedKeyword(keyword, value, schema)]);
  return Object.fromEntries(changed);
}

function changedKeyword(keyword: string, value: unknown, { uniqueItems }: JsonObject): unknown {
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlainTexts(inner)]));
  }
  // Definitions may be used by several schemas.
  if ((keyword === '$defs' || keyword === 'definitions') && isObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([name, inner]) => [name, isObject(inner) && isFreeText(inner) ? inner : withPlainTexts(inner)]),
    );
  }
  if (keyword === 'items' && uniqueItems !== true) return withPlainTexts(value);
  return (keyword === 'anyOf' || keyword === 'prefixItems') && Array.isArray(value) ? value.map(withPlainTexts) : value;
}

const NOTES = new Set(['type', 'title', 'description']);

function isFreeText(schema: JsonObject): boolean {
  return schema.type === 'string' && Object.keys(schema).every((keyword) => NOTES.has(keyword));
}
