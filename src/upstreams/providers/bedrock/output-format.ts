import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { type AnswerTool, answerTool as answerToolOf } from '../shared/answer-tool.js';
import { hasStructuredOutputs } from '../shared/claude.js';
import { claudeAnswerTool, claudeFormat } from '../shared/claude-format.js';
import { JSON_INSTRUCTION } from '../shared/json-instruction.js';
import { modelFamily } from './model-family.js';
import { inputSchema, toolSpec } from './tool-spec.js';

/** Words that ask for JSON, where nothing else can; undefined where something does, or nobody wants it. */
export function wordsForJson(call: ProviderCall): string | undefined {
  const { response_format: format } = call.request;
  if (format?.type === 'json_object') return JSON_INSTRUCTION;
  if (format?.type !== 'json_schema') return undefined;
  return format.json_schema.schema ? undefined : JSON_INSTRUCTION;
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

/** A tool by which a model answers, in the form of Converse. */
export interface AnswerSpec extends AnswerTool {
  readonly spec: JsonObject;
}

/**
 * The tool whose input is to be the answer, for a model without structured outputs, as Amazon's guide to Nova has it
 * ("Using tool use for structured output"), and for a schema that Claude's do not have.
 */
export function answerTool(call: ProviderCall): AnswerSpec | undefined {
  const { upstreamModel } = call;
  const isClaude = modelFamily(upstreamModel) === 'anthropic';
  const tool = isClaude ? claudeAnswerTool(call) : !followsSchemas(upstreamModel) && answerToolOf(call.request);
  if (!tool) return undefined;
  const input = inputSchema(tool.schema, upstreamModel, 'response_format.json_schema.schema');
  return { ...tool, spec: toolSpec(tool.name, tool.description, input) };
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
