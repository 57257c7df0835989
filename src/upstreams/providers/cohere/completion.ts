import type { ChatCompletion, ChatResponseMessage, FunctionToolCall } from '../../contract/chat.types.js';
import { completionOf } from '../../contract/envelope.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { toolCallLimit } from '../shared/tool-call-limit.js';
import { toAnnotations } from './citations.js';
import { reportedFailure } from './failure.js';
import { isFailure, toFinishReason } from './finish-reason.js';
import { toLogprobs } from './logprobs.js';
import { withThoughts } from './thoughts.js';
import { argumentsText } from './tool-calls.js';
import { ToolNames } from './tools.js';
import { toUsage } from './usage.js';

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (isFailure(body.finish_reason)) throw reportedFailure(body, call);
  if (!isObject(body.message)) throw unreadable('The answer has no message.');
  const message = toMessage(body.message, call);
  const finish = toFinishReason(body.finish_reason, message.tool_calls !== undefined);
  const choice = { index: 0, message, logprobs: toLogprobs(body.logprobs) ?? null, finish_reason: finish };
  return completionOf(call, [choice], toUsage(body.usage));
}

function toMessage(message: JsonObject, call: ProviderCall): ChatResponseMessage {
  const { content, thinking, offsets } = readContent(listOf(message.content));
  const toolPlan = textOf(message.tool_plan) ?? '';
  const annotations = toAnnotations(listOf(message.citations), offsets);
  const toolCalls = toToolCalls(objectsOf(message.tool_calls), call);
  const [first] = toolCalls;
  if (first) Object.assign(first, withThoughts({ thinking, toolPlan }));
  return {
    role: 'assistant',
    content: content === '' && first ? null : content,
    refusal: null,
    ...(thinking + toolPlan !== '' && { reasoning_content: thinking + toolPlan }),
    ...(annotations.length > 0 && { annotations }),
    ...(first && { tool_calls: toolCalls }),
  };
}

function readContent(blocks: readonly unknown[]) {
  let content = '';
  let thinking = '';
  const offsets = new Map<unknown, number>();
  for (const [index, block] of blocks.entries()) {
    if (!isObject(block)) continue;
    offsets.set(index, content.length);
    content += textOf(block.text) ?? '';
    thinking += textOf(block.thinking) ?? '';
  }
  return { content, thinking, offsets };
}

function toToolCalls(calls: readonly JsonObject[], { request }: ProviderCall): FunctionToolCall[] {
  const names = new ToolNames(request.tools);
  return calls.slice(0, toolCallLimit(request)).map(({ id, function: called }) => {
    const { name, arguments: given } = isObject(called) ? called : {};
    const text = argumentsText(given);
    return {
      id: textOf(id) ?? '',
      type: 'function',
      function: { name: names.toCaller(textOf(name) ?? ''), arguments: text },
    };
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
