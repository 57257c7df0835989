import type { ChatCompletion, ChatResponseMessage, ToolCall } from '../../contract/chat.types.js';
import { completionOf } from '../../contract/envelope.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { carriedThoughts, type ReasoningDetail } from '../shared/reasoning-details.js';
import { toToolCall } from '../shared/tool-arguments.js';
import { toolCallLimit } from '../shared/tool-call-limit.js';
import { toAnnotations } from './citations.js';
import { toFinishReason } from './finish-reason.js';
import { answerTool } from './output-format.js';
import { toUsage } from './usage.js';

/** The merged content of an answer's blocks. */
interface Gathered {
  content: string;
  /** The answer tool's input. */
  answer: string | undefined;
  reasoning: string;
  /** Reasoning before the next tool call. */
  thoughts: ReasoningDetail[];
  readonly toolCalls: ToolCall[];
  readonly annotations: JsonObject[];
}

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  const output = isObject(body) && isObject(body.output) ? body.output : {};
  const message = output.message;
  if (!isObject(body) || !isObject(message) || !Array.isArray(message.content)) {
    throw unreadable('The answer has no message.');
  }
  const gathered: Gathered = {
    content: '',
    answer: undefined,
    reasoning: '',
    thoughts: [],
    toolCalls: [],
    annotations: [],
  };
  const calls = { limit: clientsCallLimit(call), answer: answerTool(call)?.name };
  for (const block of objectsOf(message.content)) gather(block, gathered, calls);

  const finish = toFinishReason(body.stopReason, gathered.toolCalls.length > 0);
  const choice = { index: 0, message: messageOf(gathered), logprobs: null, finish_reason: finish };
  return completionOf(call, [choice], toUsage(body.usage));
}

function messageOf({ answer, reasoning, toolCalls, annotations, content: text }: Gathered): ChatResponseMessage {
  const content = answer ?? text;
  const hasCalls = toolCalls.length > 0;
  return {
    role: 'assistant',
    content: content === '' && hasCalls ? null : content,
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(hasCalls && { tool_calls: toolCalls }),
    ...(annotations.length > 0 && { annotations }),
  };
}

/** The limit on the client's calls, and the name of the answer tool. */
interface CallRules {
  readonly limit: number;
  readonly answer: string | undefined;
}

function gather(block: JsonObject, gathered: Gathered, { limit, answer }: CallRules): void {
  if (typeof block.text === 'string') gathered.content += block.text;
  if (isObject(block.citationsContent)) gatherCited(block.citationsContent, gathered);
  if (isObject(block.reasoningContent)) gatherReasoning(block.reasoningContent, gathered);
  const { toolUse } = block;
  if (!isObject(toolUse) || !isClientsTool(toolUse)) return;
  if (answer !== undefined && toolUse.name === answer) {
    gathered.answer ??= JSON.stringify(toolUse.input ?? {});
    return;
  }
  if (gathered.toolCalls.length >= limit) return;
  const { toolUseId, name, input } = toolUse;
  gathered.toolCalls.push({ ...toToolCall(toolUseId, name, input), ...carriedThoughts(gathered.thoughts) });
  gathered.thoughts = [];
}

function gatherCited({ content, citations }: JsonObject, gathered: Gathered): void {
  const start = gathered.content.length;
  for (const { text } of objectsOf(content)) gathered.content += textOf(text) ?? '';
  for (const citation of objectsOf(citations)) {
    gathered.annotations.push(...toAnnotations(citation, start, gathered.content.length));
  }
}

function gatherReasoning({ reasoningText, redactedContent }: JsonObject, gathered: Gathered): void {
  const data = textOf(redactedContent);
  if (data !== undefined) gathered.thoughts.push({ type: 'reasoning.encrypted', data });
  if (!isObject(reasoningText)) return;
  const text = textOf(reasoningText.text) ?? '';
  const signature = textOf(reasoningText.signature);
  gathered.reasoning += text;
  if (signature !== undefined) gathered.thoughts.push({ type: 'reasoning.text', text, signature });
}

/** The number of tool calls to pass on, as requests cannot limit them. */
export function clientsCallLimit({ request }: ProviderCall): number {
  return request.tool_choice === 'none' ? 0 : toolCallLimit(request);
}

/** Whether the client runs a tool, and not the upstream. */
export function isClientsTool({ type }: JsonObject): boolean {
  return type !== 'server_tool_use';
}
