import type { ChatCompletionRequest } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { claudeVersion } from '../claude.js';
import { claudeSchema } from '../claude-schema.js';
import { modelFamily } from './model-family.js';

/** The tool by which a model answers that takes no schema for its text. */
export interface AnswerTool {
  readonly name: string;
  readonly spec: JsonObject;
  /** Whether it must be called, since no other tool may be. */
  readonly alone: boolean;
}

/** Whether words alone can ask for JSON. */
export function isAskedInWords({ response_format: format }: ChatCompletionRequest): boolean {
  return format?.type === 'json_object' || (format?.type === 'json_schema' && !format.json_schema.schema);
}

/** `outputConfig`, for a model that follows a schema by itself. */
export function outputConfig({ request, upstreamModel }: ProviderCall): JsonObject | undefined {
  const { response_format: format } = request;
  if (format?.type !== 'json_schema' || !format.json_schema.schema || !followsSchemas(upstreamModel)) return undefined;
  const { name, description, schema } = format.json_schema;
  const taken = modelFamily(upstreamModel) === 'anthropic' ? claudeSchema(schema) : schema;
  const jsonSchema = { name, ...(description && { description }), schema: JSON.stringify(taken) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

/**
 * The tool whose input is to be the answer, for a model without structured outputs, as Amazon's guide to Nova has it
 * ("Using tool use for structured output"). Where the caller has tools too, the model chooses among all of them.
 */
export function answerTool({ request, upstreamModel }: ProviderCall): AnswerTool | undefined {
  const { response_format: format, tools = [], tool_choice: choice } = request;
  if (format?.type !== 'json_schema' || followsSchemas(upstreamModel)) return undefined;
  const { description, schema } = format.json_schema;
  if (!schema) return undefined;
  const names = new Set(tools.map((tool) => (tool.type === 'function' ? tool.function.name : tool.custom.name)));
  let name = 'json_answer';
  while (names.has(name)) name += '_';
  const words = description?.trim() || 'Gives the answer to the user. Call it once, with the whole answer.';
  const spec = { toolSpec: { name, description: words, inputSchema: { json: { type: 'object', ...schema } } } };
  return { name, spec, alone: tools.length === 0 || choice === 'none' };
}

/** Families of which no model has structured outputs (AWS's guide: "Structured outputs", supported models). */
const WITHOUT_SCHEMAS = new Set(['amazon']);

/** Claude has them from 4.5 on; what is not known is asked, and answers for itself. */
function followsSchemas(upstreamModel: string): boolean {
  const family = modelFamily(upstreamModel);
  if (family === 'anthropic') return claudeVersion(upstreamModel) >= 405;
  return !WITHOUT_SCHEMAS.has(family);
}
