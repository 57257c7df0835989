import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** What a model can be held to: the schemas of tools, and that of the answer. */
interface Strictness {
  readonly tools: boolean;
  readonly format: boolean;
}

/** The fields that ask for a schema to be followed exactly, of a model that is merely told of it. */
export function lostStrictness(request: ChatCompletionRequest, keeps: Strictness): string[] {
  const { tools = [], response_format: format } = request;
  const lost: string[] = [];
  const hasStrictTool = tools.some((tool) => tool.type === 'function' && tool.function.strict === true);
  if (!keeps.tools && hasStrictTool) lost.push('tools.function.strict');
  if (!keeps.format && format?.type === 'json_schema' && format.json_schema.strict === true) {
    lost.push('response_format.json_schema.strict');
  }
  return lost;
}
