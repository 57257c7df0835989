import type { ChatCompletion, ChatResponseMessage, ToolCall } from '../../contract/chat.types.js';
import { completionOf } from '../../contract/envelope.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { copyEnvelope } from '../openai/envelope.js';
import { type FailureReading, reportedFailure } from '../openai/failure.js';
import { textLogprobs } from '../openai/logprobs.js';
import { mintedId } from '../shared/tool-call-ids.js';
import { toAnnotations } from './citations.js';
import { toFinishReason } from './finish-reason.js';
import { carriedReasoning, returnableReasoning, thoughtsOf } from './thoughts.js';
import { toUsage } from './usage.js';

const CALLS = new Set<unknown>(['function_call', 'custom_tool_call']);

export function toCompletion(body: unknown, call: ProviderCall, failures: FailureReading): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (!Array.isArray(body.output)) {
    throw body.error ? reportedFailure(body, call, failures) : unreadable('The answer has no output.');
  }
  const output = body.output.filter(isObject);
  const calls = toolCalls(output, call);
  const finish = toFinishReason(body, calls.length > 0, call, failures);
  const parts = output.filter(({ type }) => type === 'message').flatMap(({ content }) => objectsOf(content));
  const { content, refusal, annotations, logprobs } = readParts(parts);
  const message: ChatResponseMessage = { role: 'assistant', content, refusal };
  const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? thoughtsOf(item) : []));
  if (thoughts.length > 0) message.reasoning_content = thoughts.join('\n\n');
  if (calls.length > 0) message.tool_calls = calls;
  if (annotations.length > 0) message.annotations = annotations;
  const choice = { index: 0, message, logprobs: textLogprobs(logprobs), finish_reason: finish };
  const completion = completionOf(call, [choice]);
  copyEnvelope(body, completion);
  const usage = toUsage(body);
  if (usage) completion.usage = usage;
  return completion;
}

/** Text parts are joined without a separator, like the SDKs' `output_text`. */
function readParts(parts: readonly JsonObject[]) {
  let content: string | null = null;
  let refusal: string | null = null;
  const annotations: JsonObject[] = [];
  const logprobs: unknown[] = [];
  for (const part of parts) {
    if (part.type === 'refusal' && typeof part.refusal === 'string') refusal = (refusal ?? '') + part.refusal;
    if (part.type !== 'output_text' || typeof part.text !== 'string') continue;
    const offset = content?.length ?? 0;
    annotations.push(...objectsOf(part.annotations).flatMap((annotation) => toAnnotations(annotation, offset)));
    logprobs.push(...objectsOf(part.logprobs));
    content = (content ?? '') + part.text;
  }
  return { content, refusal, annotations, logprobs };
}

/** Each call carries the reasoning before it. */
function toolCalls(output: readonly JsonObject[], call: ProviderCall): ToolCall[] {
  const calls: ToolCall[] = [];
  let reasoning: JsonObject[] = [];
  for (const item of output) {
    if (item.type === 'reasoning') reasoning.push(...returnableReasoning(item));
    if (!CALLS.has(item.type)) continue;
    calls.push(toolCall(item, textOf(item.call_id) ?? mintedId(call, 0, calls.length), carriedReasoning(reasoning)));
    reasoning = [];
  }
  return calls;
}

function toolCall(item: JsonObject, id: string, carried: { extra_content?: JsonObject }): ToolCall {
  const name = textOf(item.name) ?? '';
  if (item.type === 'custom_tool_call') {
    return { id, type: 'custom', custom: { name, input: textOf(item.input) ?? '' }, ...carried };
  }
  return { id, type: 'function', function: { name, arguments: textOf(item.arguments) ?? '{}' }, ...carried };
}
