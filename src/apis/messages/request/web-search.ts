import type { MessagesRequest, ToolParam } from './messages.types.js';
import { isOwnTool } from './tool.checks.js';

/** `web_search_20250305` … Agents always offer it, so it is left out if no target has it. */
const WEB_SEARCH = /^web_search/;

export function isWebSearch(tool: ToolParam): boolean {
  return !isOwnTool(tool) && WEB_SEARCH.test(tool.type ?? '');
}

/** Whether the request offers web search without insisting on it. */
export function canDoWithoutSearch({ tools, tool_choice: choice }: MessagesRequest): boolean {
  const searches = tools?.filter(isWebSearch) ?? [];
  return searches.length > 0 && !(choice?.type === 'tool' && searches.some(({ name }) => name === choice.name));
}

/** The same request without web search, and without a tool choice if no tools are left. */
export function withoutWebSearch(request: MessagesRequest): MessagesRequest {
  const tools = request.tools?.filter((tool) => !isWebSearch(tool)) ?? [];
  if (tools.length > 0) return { ...request, tools };
  const { tools: _, tool_choice: __, ...rest } = request;
  return rest as MessagesRequest;
}

export function pathsOfWebSearch({ tools }: MessagesRequest): readonly string[] {
  return (tools ?? []).flatMap((tool, index) => (isWebSearch(tool) ? [`tools[${index}]`] : []));
}
