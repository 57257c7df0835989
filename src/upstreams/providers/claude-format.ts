import { invalidRequest } from '../../common/gateway.error.js';
import type { ChatCompletionRequest, FunctionTool } from '../contract/chat.types.js';
import type { JsonObject } from '../contract/json.js';
import type { ProviderCall } from '../contract/provider.adapter.js';
import { hasStructuredOutputs } from './claude.js';
import { claudeSchema, hasOpenObjects } from './claude-schema.js';
import { JSON_INSTRUCTION, schemaInstruction } from './json-instruction.js';
import { objectSchema } from './offered-tools.js';

/** How Claude is asked for JSON: held to a schema, or in words alone. */
interface ClaudeFormat {
  schema?: JsonObject;
  words?: string;
}

/**
 * The form of a `response_format`; undefined where the answer is text. A schema that structured outputs cannot hold the
 * model to as it stands is told in words, all of it, unless it must be followed exactly: that is refused.
 */
export function claudeFormat({ request, model, upstreamModel }: ProviderCall): ClaudeFormat | undefined {
  const { response_format: format } = request;
  if (format?.type === 'json_object') return { words: JSON_INSTRUCTION };
  if (format?.type !== 'json_schema') return undefined;
  const { schema, strict } = format.json_schema;
  if (!schema) return { words: JSON_INSTRUCTION };
  if (!hasOpenObjects(schema)) {
    return hasStructuredOutputs(upstreamModel)
      ? { schema: claudeSchema(schema) }
      : { words: schemaInstruction(schema) };
  }
  if (strict === true) throw openObjects('response_format.json_schema.schema', model);
  return { words: schemaInstruction(schema) };
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
    "('additionalProperties': false). Close its objects, or leave 'strict' out.";
  return invalidRequest('unsupported_value', field, words);
}
