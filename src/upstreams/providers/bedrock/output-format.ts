import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { hasStructuredOutputs } from '../claude.js';
import { claudeFormat } from '../claude-format.js';
import { JSON_INSTRUCTION } from '../json-instruction.js';
import { modelFamily } from './model-family.js';
import { inputSchema, toolSpec } from './tool-spec.js';

/** The tool by which a model answers that takes no schema for its text. */
export interface AnswerTool {
  readonly name: string;
  readonly spec: JsonObject;
  /** Whether it must be called, since no other tool may be. */
  readonly alone: boolean;
}

/** Words that ask for JSON, where nothing else can; undefined where something does, or nobody wants it. */
export function wordsForJson(call: ProviderCall): string | undefined {
  const { response_format: format } = call.request;
  if (format?.type === 'json_object') return JSON_INSTRUCTION;
  if (format?.type !== 'json_schema') return undefined;
  if (!format.json_schema.schema) return JSON_INSTRUCTION;
  return isStructuredClaude(call.upstreamModel) ? claudeFormat(call)?.words : undefined;
}

/** `outputConfig`, for a model that follows a schema by itself. */
export function outputConfig(call: ProviderCall): JsonObject | undefined {
  const { response_format: format } = call.request;
  if (format?.type !== 'json_schema' || !format.json_schema.schema || !followsSchemas(call.upstreamModel)) {
    return undefined;
  }
  const { name, description, schema } = format.json_schema;
  const taken = isStructuredClaude(call.upstreamModel) ? claudeFormat(call)?.schema : schema;
  if (!taken) return undefined;
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
  const field = 'response_format.json_schema.schema';
  const spec = toolSpec(name, words, inputSchema({ type: 'object', ...schema }, upstreamModel, field));
  return { name, spec, alone: tools.length === 0 || choice === 'none' };
}

/** Families of which no model has structured outputs (AWS's guide: "Structured outputs", supported models). */
const WITHOUT_SCHEMAS = new Set(['amazon']);

/** What is not known is asked, and answers for itself. */
function followsSchemas(upstreamModel: string): boolean {
  const family = modelFamily(upstreamModel);
  return family === 'anthropic' ? hasStructuredOutputs(upstreamModel) : !WITHOUT_SCHEMAS.has(family);
}

/** Of other models than Claude it is not known that they take strict tools. */
export function strictness(upstreamModel: string): { tools: boolean; format: boolean } {
  return { tools: isStructuredClaude(upstreamModel), format: followsSchemas(upstreamModel) };
}

function isStructuredClaude(upstreamModel: string): boolean {
  return modelFamily(upstreamModel) === 'anthropic' && hasStructuredOutputs(upstreamModel);
}
