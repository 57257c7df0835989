import type { ChatCompletionRequest, ChatTool, ToolChoice } from '../../contract/chat.types.js';
import { isObject, type JsonObject, objectOf, withoutNulls } from '../../contract/json.js';
import { NO_PARAMETERS } from '../shared/requested-tools.js';

/** Adds web search, which Chat Completions requests with a field. */
export function toTools({ tools: given = [], web_search_options: search }: ChatCompletionRequest): JsonObject[] {
  const offered = given.map(tool);
  return isObject(search) ? [...offered, webSearch(search)] : offered;
}

/** Converts nested fields to flat ones: known fields only, as the API refuses others. Functions are strict by default. */
function tool(given: ChatTool): JsonObject {
  if (given.type === 'custom') {
    const { name, description, format } = given.custom;
    const known = withoutNulls({ type: 'custom', name, description });
    return isObject(format) ? { ...known, format: customFormat(format) } : known;
  }
  const { name, description, strict, parameters } = given.function;
  return withoutNulls({
    type: 'function',
    name,
    description,
    parameters: parameters ?? NO_PARAMETERS,
    strict: strict ?? false,
  });
}

function customFormat({ type, grammar }: JsonObject): JsonObject {
  return isObject(grammar) ? { type, ...grammar } : { type };
}

function webSearch({ search_context_size: size, user_location: place }: JsonObject): JsonObject {
  const { approximate } = objectOf(place);
  const user_location = isObject(approximate) ? { type: 'approximate', ...approximate } : undefined;
  return withoutNulls({ type: 'web_search', search_context_size: size, user_location });
}

/** The tool's name is flat here. */
export function toolChoice(choice: ToolChoice): unknown {
  if (typeof choice === 'string') return choice;
  if (choice.type === 'allowed_tools') {
    const { mode, tools: allowed } = choice.allowed_tools;
    return { type: 'allowed_tools', mode, tools: allowed.map(namedTool) };
  }
  return namedTool(choice);
}

function namedTool(given: JsonObject): JsonObject {
  const { type } = given;
  const named = typeof type === 'string' ? given[type] : undefined;
  return isObject(named) ? { type, name: named.name } : given;
}
