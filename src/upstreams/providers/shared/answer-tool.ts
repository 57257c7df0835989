import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';

/** A tool whose input becomes the answer, for models that cannot follow a schema in text. */
export interface AnswerTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** Whether there is no other tool, so that it must be called; otherwise the model chooses among all tools. */
  readonly alone: boolean;
}

/** Undefined if the request has no JSON schema. */
export function answerTool(request: ChatCompletionRequest): AnswerTool | undefined {
  const { response_format: format, tools = [], tool_choice: choice } = request;
  if (format?.type !== 'json_schema' || !format.json_schema.schema) return undefined;
  const { description, schema } = format.json_schema;
  const names = new Set(tools.map((tool) => (tool.type === 'function' ? tool.function.name : tool.custom.name)));
  let name = 'json_answer';
  while (names.has(name)) name += '_';
  return {
    name,
    description: description?.trim() || 'Gives the answer to the user. Call it once, with the whole answer.',
    schema: { type: 'object', ...schema },
    alone: tools.length === 0 || choice === 'none',
  };
}
