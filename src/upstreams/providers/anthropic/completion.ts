import type { ChatCompletion, ChatResponseMessage, ToolCall } from '../../contract/chat.types.js';
import { completionOf } from '../../contract/envelope.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { claudeAnswerTool } from '../shared/claude-format.js';
import { toToolCall } from '../shared/tool-arguments.js';
import { toAnnotations } from './citations.js';
import { reportedFailure } from './failure.js';
import { refusalText, toFinishReason } from './finish-reason.js';
import { signedThought, withThoughts } from './thoughts.js';
import { toUsage } from './usage.js';

/** Converts a whole message. Server tools and their results are left out. */
export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (body.type === 'error') throw reportedFailure(body, call);
  if (!Array.isArray(body.content)) throw unreadable('The answer has no content.');
  const message = toMessage(body.content.filter(isObject), claudeAnswerTool(call)?.name);
  message.refusal = refusalText(body.stop_details);
  const finish = toFinishReason(body.stop_reason, message.tool_calls !== undefined);
  return completionOf(call, [{ index: 0, message, logprobs: null, finish_reason: finish }], toUsage(body.usage));
}

/** `answerName`: the answer tool, whose input is the content. */
function toMessage(blocks: readonly JsonObject[], answerName: string | undefined): ChatResponseMessage {
  let content = '';
  let answer: string | undefined;
  let reasoning = '';
  let thoughts: JsonObject[] = [];
  const annotations: JsonObject[] = [];
  const toolCalls: ToolCall[] = [];
  for (const block of blocks) {
    if (block.type === 'text') {
      const start = content.length;
      content += textOf(block.text) ?? '';
      annotations.push(...toAnnotations(block.citations, start, content.length));
    } else if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      reasoning += textOf(block.thinking) ?? '';
      thoughts.push(...signedThought(block));
    } else if (block.type === 'tool_use' && answerName !== undefined && block.name === answerName) {
      answer ??= JSON.stringify(block.input ?? {});
    } else if (block.type === 'tool_use') {
      toolCalls.push({ ...toToolCall(block.id, block.name, block.input), ...withThoughts(thoughts) });
      thoughts = [];
    }
  }
  return {
    role: 'assistant',
    content: answer ?? (content === '' && toolCalls.length > 0 ? null : content),
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(annotations.length > 0 && { annotations }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
}
