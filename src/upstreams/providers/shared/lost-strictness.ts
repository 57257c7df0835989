import type { ChatCompletionRequest } from '../../contract/chat.types.js';

interface Strictness {
  readonly tools: boolean;
  readonly format: boolean;
}

/** Fields that request strict schemas which the model cannot enforce. */
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
