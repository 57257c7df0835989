import type { FunctionTool, ToolChoice } from '../../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../../upstreams/contract/json.js';
import type { MessagesRequest, ToolChoiceParam, ToolParam } from '../request/messages.types.js';
import { isOwnTool } from '../request/tool.checks.js';
import { isWebSearch } from '../request/web-search.js';
import { cacheMark } from './cache-mark.js';
import type { Losses } from './losses.js';
import { canBeStrict } from './response-format.js';
import { offeredName } from './tool-names.js';

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
