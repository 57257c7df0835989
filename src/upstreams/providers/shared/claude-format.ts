import { invalidRequest } from '../../../common/gateway.error.js';
import type { ChatCompletionRequest, FunctionTool } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { type AnswerTool, answerTool } from './answer-tool.js';
import { hasStructuredOutputs } from './claude.js';
import { claudeSchema, hasOpenObjects } from './claude-schema.js';
import { JSON_INSTRUCTION } from './json-instruction.js';
import { objectSchema } from './offered-tools.js';

/** How Claude is asked for JSON: held to a schema, or in words alone. */
interface ClaudeFormat {
  schema?: JsonObject;
  words?: string;
}

/**
 * The form of a `response_format`; undefined where the answer is text, or comes by a tool. A schema that must be followed
 * exactly, and cannot be as it stands, is refused.
 */
export function claudeFormat(call: ProviderCall): ClaudeFormat | undefined {
  const { response_format: format } = call.request;
  if (format?.type === 'json_object') return { words: JSON_INSTRUCTION };
  if (format?.type !== 'json_schema') return undefined;
  const { schema, strict } = format.json_schema;
  if (!schema) return { words: JSON_INSTRUCTION };
  if (isHeldTo(schema, call)) return { schema: claudeSchema(schema) };
  if (strict === true && hasStructuredOutputs(call.upstreamModel)) {
    throw openObjects('response_format.json_schema.schema', call.model);
  }
  return undefined;
}

/** The tool by which Claude answers a schema that structured outputs do not have, or before it has those. */
export function claudeAnswerTool(call: ProviderCall): AnswerTool | undefined {
  const tool = answerTool(call.request);
  return tool && !isHeldTo(tool.schema, call) ? tool : undefined;
}

function isHeldTo(schema: JsonObject, { upstreamModel }: ProviderCall): boolean {
  return hasStructuredOutputs(upstreamModel) && !hasOpenObjects(schema);
}

/** The schema of a function that must be called by it exactly; undefined where the model is not held to it. */
export function strictSchema(
  tool: FunctionTool,
  { request, model, upstreamModel }: ProviderCall,
): JsonObject | undefined {
  const { strict, parameters } = tool.function;
  if (strict !== true || !hasStructuredOutputs(upstreamModel)) return undefined;
  // What a function takes is an object: no null beside it, and nothing in it that is not named.
  const { nullable: _, ...schema }: JsonObject = { properties: {}, ...objectSchema(parameters) };
  if (hasOpenObjects(schema)) throw openObjects(`tools[${placeOf(tool, request)}].function.parameters`, model);
  return claudeSchema(schema);
}

function placeOf(tool: FunctionTool, { tools }: ChatCompletionRequest): number {
  return tools?.indexOf(tool) ?? 0;
}

function openObjects(field: string, model: string): Error {
  const words =
    `The model '${model}' follows a schema exactly only where each object names all of its properties ` +
    "('additionalProperties': false). Close its objects, or remove 'strict'.";
  return invalidRequest('unsupported_value', field, words);
}
