import type { ToolCall } from '../../contract/chat.types.js';
import { textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';

/** Text before tool calls: the thoughts of reasoning models, or the plan of others. */
interface Thoughts {
  thinking?: string | undefined;
  toolPlan?: string | undefined;
}

/** Adds the thoughts to the first tool call, so that the client returns them. */
export function withThoughts({ thinking, toolPlan }: Thoughts): ExtraContent {
  if (!thinking && !toolPlan) return {};
  const cohere = { ...(thinking && { thinking }), ...(toolPlan && { tool_plan: toolPlan }) };
  return { extra_content: { cohere } };
}

export function returnedThoughts(call: ToolCall | undefined): Thoughts {
  const { thinking, tool_plan: toolPlan } = extraContent(call, 'cohere');
  return { thinking: textOf(thinking), toolPlan: textOf(toolPlan) };
}
