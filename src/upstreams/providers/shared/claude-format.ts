import type { FunctionTool } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { type AnswerTool, answerTool } from './answer-tool.js';
import { hasStructuredOutputs } from './claude.js';
import { claudeSchema, hasOpenObjects } from './claude-schema.js';
import { objectSchema } from './offered-tools.js';
import { unsupported } from './unsupported.js';

/** For models that follow it, at APIs whose JSON mode requires a schema. */
export const JSON_INSTRUCTION =
  'Answer with exactly one JSON object: no other text before or after it, and no code fence around it.';

/** JSON with a schema, or only with an instruction. */
interface ClaudeFormat {
  schema?: JsonObject;
  instruction?: string;
}

/** Undefined if the answer is text or comes from the answer tool. Throws for a strict schema that is not supported. */
export function claudeFormat(call: ProviderCall): ClaudeFormat | undefined {
  const { response_format: format } = call.request;
  if (format?.type === 'json_object') return { instruction: JSON_INSTRUCTION };
  if (format?.type !== 'json_schema') return undefined;
  const { schema, strict } = format.json_schema;
  if (!schema) return { instruction: JSON_INSTRUCTION };
  if (canEnforce(schema, call)) return { schema: claudeSchema(schema) };
  if (strict === true && hasStructuredOutputs(call.upstreamModel)) {
    throw openObjects('response_format.json_schema.schema', call.model);
  }
  return undefined;
}

/** The answer tool for schemas that structured outputs do not support, or for models without them. */
export function claudeAnswerTool(call: ProviderCall): AnswerTool | undefined {
  const tool = answerTool(call.request);
  return tool && !canEnforce(tool.schema, call) ? tool : undefined;
}

function canEnforce(schema: JsonObject, { upstreamModel }: ProviderCall): boolean {
  return hasStructuredOutputs(upstreamModel) && !hasOpenObjects(schema);
}

/** The schema of a strict function; undefined if the model cannot enforce it. */
export function strictSchema(
  tool: FunctionTool,
  { request, model, upstreamModel }: ProviderCall,
): JsonObject | undefined {
  const { strict, parameters } = tool.function;
  if (strict !== true || !hasStructuredOutputs(upstreamModel)) return undefined;
  // Parameters are a closed object that is not nullable.
  const { nullable: _, ...schema }: JsonObject = { properties: {}, ...objectSchema(parameters) };
  if (hasOpenObjects(schema))
    throw openObjects(`tools[${request.tools?.indexOf(tool) ?? 0}].function.parameters`, model);
  return claudeSchema(schema);
}

function openObjects(field: string, model: string): Error {
  const message =
    `The model '${model}' follows a schema exactly only if each object lists all of its properties ` +
    "('additionalProperties': false). Close its objects, or remove 'strict'.";
  return unsupported(field, message);
}
