import type { ToolCall } from '../../contract/chat.types.js';
import { textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';

/** What the model wrote before tool calls: reasoning models think, others plan. */
interface Thoughts {
  thinking?: string | undefined;
  toolPlan?: string | undefined;
}

/** Carries the thoughts through the client in the first tool call. */
export function withThoughts({ thinking, toolPlan }: Thoughts): ExtraContent {
  if (!thinking && !toolPlan) return {};
  const cohere = { ...(thinking && { thinking }), ...(toolPlan && { tool_plan: toolPlan }) };
  return { extra_content: { cohere } };
}

export function returnedThoughts(call: ToolCall | undefined): Thoughts {
  const { thinking, tool_plan: toolPlan } = extraContent(call, 'cohere');
  return { thinking: textOf(thinking), toolPlan: textOf(toolPlan) };
}
