import type { FunctionTool, ToolChoice } from '../../contract/chat.types.js';
import { type JsonObject, objectOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { strictSchema } from '../shared/claude.js';
import {
  type AnswerTool,
  chosenName,
  mustCall,
  NO_PARAMETERS,
  objectSchema,
  offeredFunctions,
} from '../shared/requested-tools.js';
import type { ConverseTurn } from './converse.types.js';
import { CacheMarks } from './messages.js';
import { modelFamily, novaSchema } from './schema.js';

export interface ToolConfig {
  tools: JsonObject[];
  toolChoice?: JsonObject;
}

/**
 * Undefined without tools. Earlier tool calls require tools even with `tool_choice: "none"`, which the API does not
 * have.
 */
export function toTools(
  call: ProviderCall,
  turns: readonly ConverseTurn[],
  marks = new CacheMarks(),
): ToolConfig | undefined {
  const { request } = call;
  const { tool_choice: choice } = request;
  const used = namesOfUsedTools(turns);
  if (choice === 'none' && used.size === 0) return undefined;
  const tools = offeredFunctions(request).flatMap((tool) => marks.mark([offeredTool(tool, call)], tool, tool.function));
  const forced = forcedChoice(choice);
  if (tools.length > 0) return { tools, ...(forced && { toolChoice: forced }) };
  return used.size > 0 ? { tools: [...used].map(rememberedTool) } : undefined;
}

/** Adds the answer tool. The model must call a tool, if it can be forced: this one, if there are no others. */
export function withAnswerTool(
  config: ToolConfig | undefined,
  answer: AnswerTool | undefined,
  upstreamModel: string,
): ToolConfig | undefined {
  if (!answer || 'tool' in objectOf(config?.toolChoice)) return config;
  const spec = toolSpec(answer, upstreamModel, 'response_format.json_schema.schema');
  const tools = [...(config?.tools ?? []), { toolSpec: spec }];
  if (answer.instruction !== undefined) return { tools };
  return { tools, toolChoice: answer.alone ? { tool: { name: answer.name } } : { any: {} } };
}

/** Undefined for `auto`, the default, which not every model accepts explicitly. */
function forcedChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  const name = chosenName(choice);
  if (name !== undefined) return { tool: { name } };
  return mustCall(choice) ? { any: {} } : undefined;
}

function offeredTool(tool: FunctionTool, call: ProviderCall): JsonObject {
  const { name, description, parameters } = tool.function;
  // Only Claude is known to support the field.
  const strict = modelFamily(call.upstreamModel) === 'anthropic' ? strictSchema(tool, call) : undefined;
  const field = `tools[${call.request.tools?.indexOf(tool)}].function.parameters`;
  const spec = toolSpec({ name, description, schema: strict ?? objectSchema(parameters) }, call.upstreamModel, field);
  return { toolSpec: { ...spec, ...(strict && { strict: true }) } };
}

interface Described {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema: JsonObject;
}

/** `ToolSpecification` in botocore requires a non-empty description. `field`: for errors about the schema. */
function toolSpec({ name, description, schema }: Described, upstreamModel: string, field: string): JsonObject {
  const isNova = modelFamily(upstreamModel) === 'amazon';
  const { json, note }: ReturnType<typeof novaSchema> = isNova ? novaSchema(schema, field) : { json: schema };
  const reported = [description?.trim() && description, note].filter(Boolean);
  return { name, ...(reported.length > 0 && { description: reported.join('\n\n') }), inputSchema: { json } };
}

function namesOfUsedTools(turns: readonly ConverseTurn[]): Set<string> {
  const names = new Set<string>();
  for (const { content } of turns) {
    for (const block of content) {
      if ('toolUse' in block) names.add(block.toolUse.name);
      if ('toolResult' in block && names.size === 0) names.add('tool');
    }
  }
  return names;
}

/** A tool of an earlier call that the request no longer offers. */
function rememberedTool(name: string): JsonObject {
  return { toolSpec: { name, inputSchema: { json: NO_PARAMETERS } } };
}
