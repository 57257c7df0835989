import { accountFileIn } from '../../../completions/dto/provider-files.js';
import { isObject, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { isHostedTrace, itemType } from './input.checks.js';
import { type InputItem, isNamespaceTool, isOwnTool, type ResponsesRequest } from './responses-request.types.js';

/** Lists of ids in a tool that name files or stores of the provider's account. */
const ID_LISTS = ['file_ids', 'vector_store_ids'];

/** The path of the first reference to files or stores in the provider's account, or null. */
export function accountFileOf({ input, tools }: ResponsesRequest): string | null {
  if (typeof input !== 'string') {
    for (const [index, item] of input.entries()) {
      const path = fileOfItem(item);
      if (path !== null) return `input[${index}]${path}`;
    }
  }
  for (const [index, tool] of (tools ?? []).entries()) {
    if (isOwnTool(tool) || isNamespaceTool(tool)) continue;
    const path = idListIn(tool as ReadonlyJsonObject) ?? accountFileIn(tool);
    if (path !== null) return `tools[${index}]${path}`;
  }
  return null;
}

function fileOfItem(item: InputItem): string | null {
  switch (itemType(item)) {
    case 'message':
      return item.role === 'assistant' ? null : fileOfParts('.content', item.content);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return fileOfParts('.output', item.output);
    case 'function_call':
    case 'custom_tool_call':
    case 'reasoning':
      return null;
    default:
      return isHostedTrace(itemType(item)) ? null : accountFileIn(item);
  }
}

/** Text parts are skipped, as they may mention any address. */
function fileOfParts(name: string, parts: unknown): string | null {
  if (!Array.isArray(parts)) return null;
  for (const [index, part] of parts.entries()) {
    if (!isObject(part) || (part.type !== 'input_image' && part.type !== 'input_file')) continue;
    const path = accountFileIn(part);
    if (path !== null) return `${name}[${index}]${path}`;
  }
  return null;
}

function idListIn(tool: ReadonlyJsonObject, path = ''): string | null {
  for (const name of ID_LISTS) {
    const ids = tool[name];
    if (Array.isArray(ids) && ids.length > 0) return `${path}.${name}`;
  }
  return isObject(tool.container) ? idListIn(tool.container, '.container') : null;
}
