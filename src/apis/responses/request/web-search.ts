import { isWebSearch, type ResponsesRequest } from './responses-request.types.js';

interface WithoutWebSearch {
  readonly request: ResponsesRequest;
  /** The paths of the removed tools. */
  readonly removed: readonly string[];
}

/** Clients offer web search as a matter of course. Undefined if the request does not, or insists on it. */
export function withoutWebSearch(request: ResponsesRequest): WithoutWebSearch | undefined {
  const { tools, tool_choice: choice } = request;
  if (!tools?.some(({ type }) => isWebSearch(type))) return undefined;
  if (typeof choice === 'object' && choice !== null && isWebSearch(choice.type)) return undefined;
  const removed = tools.flatMap(({ type }, index) => (isWebSearch(type) ? [`tools[${index}]`] : []));
  return { request: { ...request, tools: tools.filter(({ type }) => !isWebSearch(type)) }, removed };
}
