import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import { changed } from './changed-list.js';
import type { Dialect } from './dialect.js';
import { fieldPicker } from './field-rule.js';

const withToolFields = fieldPicker({ only: ['type', 'function', 'custom'] });
const withFunctionFields = fieldPicker({ only: ['name', 'description', 'parameters', 'strict'] });

export function toolAdapter({ allowedTools = false, adaptFunction }: Dialect): (body: JsonObject) => void {
  function adapted(tool: unknown): unknown {
    if (!isObject(tool)) return tool;
    const picked = withToolFields(tool);
    if (!isObject(picked.function)) return picked;
    const plain = withFunctionFields(picked.function);
    const described = adaptFunction ? adaptFunction(plain) : plain;
    return described === picked.function ? picked : { ...picked, function: described };
  }

  return (body) => {
    if (!allowedTools) chooseAmongAllowed(body);
    if (!Array.isArray(body.tools)) return;
    if (body.tools.length === 0) return withoutTools(body);
    body.tools = changed(body.tools, adapted);
  };
}

/** "Invalid 'tools': empty array." and "'tool_choice' is only allowed when 'tools' are specified." */
export function withoutTools(body: JsonObject): void {
  delete body.tools;
  delete body.parallel_tool_calls;
  if (body.tool_choice === 'auto' || body.tool_choice === 'none') delete body.tool_choice;
}

/** For APIs without `allowed_tools`: offers only the allowed tools. */
function chooseAmongAllowed(body: JsonObject): void {
  const choice = body.tool_choice as ChatCompletionRequest['tool_choice'];
  if (typeof choice !== 'object' || choice.type !== 'allowed_tools') return;
  const { mode, tools } = choice.allowed_tools;
  const allowed = new Set(tools.map(nameOf));
  const offered = Array.isArray(body.tools) ? body.tools.filter((tool: unknown) => allowed.has(nameOf(tool))) : [];
  delete body.tools;
  delete body.tool_choice;
  if (offered.length > 0) Object.assign(body, { tools: offered, tool_choice: mode });
}

function nameOf(tool: unknown): unknown {
  if (!isObject(tool) || typeof tool.type !== 'string') return undefined;
  const named = tool[tool.type];
  return isObject(named) ? `${tool.type} ${named.name}` : undefined;
}

export function hasFunctionTools({ tools, functions }: ChatCompletionRequest): boolean {
  if (tools?.some(({ type }) => type === 'function')) return true;
  return Array.isArray(functions) && functions.length > 0;
}
