import type { ToolCall } from '../../contract/chat.types.js';
import { textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';

/** What the model put down before it called tools: reasoning models think, the others plan. */
interface Thoughts {
  thinking?: string | undefined;
  toolPlan?: string | undefined;
}

/** A field for the first tool call of an answer that carries the thoughts behind it through the client. */
export function withThoughts({ thinking, toolPlan }: Thoughts): ExtraContent {
  if (!thinking && !toolPlan) return {};
  const cohere = { ...(thinking && { thinking }), ...(toolPlan && { tool_plan: toolPlan }) };
  return { extra_content: { cohere } };
}

/** The thoughts that a tool call of the history still carries. */
export function keptThoughts(call: ToolCall | undefined): Thoughts {
  const { thinking, tool_plan: toolPlan } = extraContent(call, 'cohere');
  return { thinking: textOf(thinking), toolPlan: textOf(toolPlan) };
}
