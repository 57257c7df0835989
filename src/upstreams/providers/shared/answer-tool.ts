import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';

/** The tool whose input is to be the answer, for a model that cannot be held to a schema in its text. */
export interface AnswerTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** Whether it must be called, since no other tool may be: else the model chooses among all of them. */
  readonly alone: boolean;
}

/** For a request whose answer has a schema; undefined for any other. */
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
