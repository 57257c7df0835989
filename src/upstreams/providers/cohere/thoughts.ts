import type { ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';

/** What the model put down before it called tools: reasoning models think, the others plan. */
interface Thoughts {
  thinking?: string | undefined;
  toolPlan?: string | undefined;
}

/** A field for the first tool call of an answer that carries the thoughts behind it through the client. */
export function withThoughts({ thinking, toolPlan }: Thoughts): { extra_content?: JsonObject } {
  if (!thinking && !toolPlan) return {};
  const cohere = { ...(thinking && { thinking }), ...(toolPlan && { tool_plan: toolPlan }) };
  return { extra_content: { cohere } };
}

/** The thoughts that a tool call of the history still carries. */
export function keptThoughts(call: ToolCall | undefined): Thoughts {
  const extra: unknown = call && 'extra_content' in call ? call.extra_content : undefined;
  if (!isObject(extra) || !isObject(extra.cohere)) return {};
  return { thinking: textOf(extra.cohere.thinking), toolPlan: textOf(extra.cohere.tool_plan) };
}
