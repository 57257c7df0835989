import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import { type ReasoningDetail, reasoningDetailsOf, thoughtsOfCall } from '../reasoning-details.js';
import { toolArguments } from '../tool-arguments.js';
import type { ContentBlock } from './converse.types.js';
import { textBlocks } from './text-blocks.js';
import { type ToolUseIds, toolUseName } from './tool-use-ids.js';

/** What the model said: before its words and its calls the thoughts that led to these, where it `signs` them. */
export function assistantBlocks(message: AssistantMessage, ids: ToolUseIds, signs: boolean): ContentBlock[] {
  const { content, refusal, tool_calls: calls = [] } = message;
  const [first, ...others] = calls;
  const blocks = first && signs ? thoughtBlocks(thoughtsOfCall(first) ?? reasoningDetailsOf(message)) : [];
  blocks.push(...textBlocks(content ?? ''), ...textBlocks(refusal ?? ''));
  if (first) blocks.push(toolUse(first, ids));
  for (const call of others) {
    if (signs) blocks.push(...thoughtBlocks(thoughtsOfCall(call) ?? []));
    blocks.push(toolUse(call, ids));
  }
  return blocks;
}

function thoughtBlocks(thoughts: readonly ReasoningDetail[]): ContentBlock[] {
  return thoughts.map((thought) => ({
    reasoningContent:
      thought.type === 'reasoning.text'
        ? { reasoningText: { text: thought.text, signature: thought.signature } }
        : { redactedContent: thought.data },
  }));
}

function toolUse(call: ToolCall, ids: ToolUseIds): ContentBlock {
  const name = toolUseName(call.type === 'custom' ? call.custom.name : call.function.name);
  return { toolUse: { toolUseId: ids.ofCall(call.id), name, input: inputOf(call) } };
}

/** Arguments that are no JSON object are still told to the model, as they were written. */
function inputOf(call: ToolCall) {
  if (call.type === 'custom') return { input: call.custom.input };
  return toolArguments(call.function.arguments) ?? { arguments: call.function.arguments };
}
