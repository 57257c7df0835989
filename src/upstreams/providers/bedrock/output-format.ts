import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { type AnswerTool, answerTool as answerToolOf } from '../shared/answer-tool.js';
import { hasStructuredOutputs } from '../shared/claude.js';
import { claudeAnswerTool, claudeFormat, JSON_INSTRUCTION } from '../shared/claude-format.js';
import { modelFamily } from './model-family.js';

/** An instruction to answer in JSON, if nothing else requests it. */
export function jsonInstruction(call: ProviderCall): string | undefined {
  const { response_format: format } = call.request;
  if (!format || format.type === 'text') return undefined;
  return format.type === 'json_schema' && format.json_schema.schema ? undefined : JSON_INSTRUCTION;
}

/** For models that support structured outputs. */
export function outputConfig(call: ProviderCall): JsonObject | undefined {
  const { response_format: format } = call.request;
  if (format?.type !== 'json_schema' || !followsSchemas(call.upstreamModel)) return undefined;
  const { name, description, schema } = format.json_schema;
  const supported = isStructuredClaude(call.upstreamModel) ? claudeFormat(call)?.schema : schema;
  if (!supported) return undefined;
  const jsonSchema = { name, ...(description && { description }), schema: JSON.stringify(supported) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

/**
 * The answer tool, for models without structured outputs (Amazon's guide to Nova, "Using tool use for structured
 * output") and for schemas that Claude's structured outputs do not support.
 */
export function answerTool(call: ProviderCall): AnswerTool | undefined {
  if (modelFamily(call.upstreamModel) === 'anthropic') return claudeAnswerTool(call);
  return followsSchemas(call.upstreamModel) ? undefined : answerToolOf(call.request);
}

/** Families without structured outputs (AWS's guide "Structured outputs", supported models). */
const WITHOUT_SCHEMAS = new Set(['amazon']);

/** Assumes that unknown models support schemas, as the API reports an error otherwise. */
function followsSchemas(upstreamModel: string): boolean {
  const family = modelFamily(upstreamModel);
  return family === 'anthropic' ? hasStructuredOutputs(upstreamModel) : !WITHOUT_SCHEMAS.has(family);
}

/** Strict tools are only known for Claude. */
export function strictness(upstreamModel: string): { tools: boolean; format: boolean } {
  return { tools: isStructuredClaude(upstreamModel), format: followsSchemas(upstreamModel) };
}

function isStructuredClaude(upstreamModel: string): boolean {
  return modelFamily(upstreamModel) === 'anthropic' && hasStructuredOutputs(upstreamModel);
}
