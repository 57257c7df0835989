import { invalidRequest } from '../../../common/gateway.error.js';
import type { AssistantMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { toolArguments } from '../tool-arguments.js';
import { cacheControl } from './cache-control.js';
import { textBlock, textBlocks } from './content-blocks.js';
import { keptThoughts } from './signed-thoughts.js';
import { type ToolIds, validToolName } from './tool-ids.js';

/** What the model said: its thoughts of then as far as the client kept them, its words, its calls. */
export function assistantBlocks(message: AssistantMessage, ids: ToolIds, path: string): JsonObject[] {
  const { content, refusal, tool_calls: calls = [], audio } = message;
  const [first, ...others] = calls;
  const blocks = first ? keptThoughts(first, message) : [];
  if (content) blocks.push(...textBlocks(content));
  if (refusal) blocks.push(...textBlock(refusal));
  if (first) blocks.push(toolUse(first, ids));
  for (const call of others) blocks.push(...keptThoughts(call), toolUse(call, ids));
  if (blocks.length === 0 && audio) {
    throw invalidRequest('unsupported_value', `${path}.audio`, 'This model cannot take its answer as audio back.');
  }
  return blocks;
}

/** A call whose arguments are no JSON object, which the API cannot take, keeps them as text in one. */
function toolUse(call: ToolCall, ids: ToolIds): JsonObject {
  const [name, input] =
    call.type === 'custom'
      ? [call.custom.name, { input: call.custom.input }]
      : [call.function.name, toolArguments(call.function.arguments) ?? { arguments: call.function.arguments }];
  return { type: 'tool_use', id: ids.callOf(call.id), name: validToolName(name), input, ...cacheControl(call) };
}
