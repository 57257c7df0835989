import { isJsonObject, type JsonObject } from '../../../completions/dto/structure-checks.js';
import { objectsOf } from '../../../upstreams/contract/json.js';
import { itemType } from './input.checks.js';
import { type InputItem, isWebSearch, type ResponsesRequest, type ResponsesTool } from './responses-request.types.js';

const OWN: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

export interface OfferedTool {
  readonly tool: ResponsesTool;
  readonly path: string;
}

/** Whether an input item offers tools. Codex sends such items for models that it knows. */
export function isAdditionalTools(item: InputItem): boolean {
  return itemType(item) === 'additional_tools';
}

/** The tools of `tools` and of items of the input. */
export function offeredTools({ tools, input }: ResponsesRequest): OfferedTool[] {
  const offered = toOffered(tools ?? [], 'tools');
  if (typeof input === 'string') return offered;
  for (const [index, item] of input.entries()) {
    if (isAdditionalTools(item)) offered.push(...toOffered(toolsOf(item), `input[${index}].tools`));
  }
  return offered;
}

/**
 * The path of the first hosted tool in an item of the input, except web search; hosted tools have a price in `tools`
 * only.
 */
export function hostedToolInInput(input: unknown): string | null {
  if (!Array.isArray(input)) return null;
  for (const [index, item] of input.entries()) {
    if (!isJsonObject(item) || !isAdditionalTools(item)) continue;
    const position = objectsOf(item.tools).findIndex(({ type }) => !OWN.has(type) && !isWebSearch(type));
    if (position >= 0) return `input[${index}].tools[${position}].type`;
  }
  return null;
}

/** The same item without web search, which only has a price in `tools`. */
export function withoutSearchTools(item: InputItem): InputItem {
  if (!isAdditionalTools(item) || !toolsOf(item).some(({ type }) => isWebSearch(type))) return item;
  return { ...item, tools: toolsOf(item).filter(({ type }) => !isWebSearch(type)) } satisfies JsonObject;
}

function toolsOf({ tools }: InputItem): readonly ResponsesTool[] {
  return tools as readonly ResponsesTool[];
}

function toOffered(tools: readonly ResponsesTool[], list: string): OfferedTool[] {
  return tools.map((tool, index) => ({ tool, path: `${list}[${index}]` }));
}
