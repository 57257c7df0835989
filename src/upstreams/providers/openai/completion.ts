import type { ChatChoice, ChatCompletion, ChatResponseMessage } from '../../contract/chat.types.js';
import { completionOf } from '../../contract/envelope.js';
import { countOf, isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { mintedId } from '../shared/tool-call-ids.js';
import { annotationsOf } from './citations.js';
import { textParts } from './content.js';
import type { Dialect, MessageText } from './dialect.js';
import { copyEnvelope } from './envelope.js';
import { reportedFailure } from './failure.js';
import { toFinishReason } from './finish-reason.js';
import { logprobsOf } from './logprobs.js';
import { reasoningReader } from './thoughts.js';
import { argumentsOf, toolCallsOf } from './tool-calls.js';
import { toUsage } from './usage.js';

/** Returns the function that reads a whole answer and builds it from known fields. */
export function completionReader(dialect: Dialect): (body: unknown, call: ProviderCall) => ChatCompletion {
  const { readParts = textParts, extras: createExtras } = dialect;
  const reasoningOf = reasoningReader(dialect);

  function readText(message: JsonObject): { content: string | null; reasoning: string | undefined } {
    const { content } = message;
    const parts: MessageText | undefined = Array.isArray(content) ? readParts(content) : undefined;
    return {
      content: parts ? parts.content : typeof content === 'string' ? content : null,
      reasoning: textOf(parts?.reasoning) ?? reasoningOf(message),
    };
  }

  function readMessage(raw: JsonObject, body: JsonObject, mintId: (index: number) => string): ChatResponseMessage {
    const { content, reasoning } = readText(raw);
    const message: ChatResponseMessage = { role: 'assistant', content, refusal: textOf(raw.refusal) ?? null };
    if (reasoning !== undefined) message.reasoning_content = reasoning;
    const toolCalls = toolCallsOf(raw.tool_calls, mintId);
    if (toolCalls.length > 0) message.tool_calls = toolCalls;
    const { function_call: called, audio } = raw;
    if (isObject(called)) {
      message.function_call = { name: textOf(called.name) ?? '', arguments: argumentsOf(called.arguments) };
    }
    const annotations = annotationsOf(raw.annotations);
    if (annotations) message.annotations = annotations;
    if (isAudio(audio)) message.audio = audio;
    const extras = createExtras?.();
    extras?.read(raw, body);
    Object.assign(message, extras?.fields());
    return message;
  }

  function readChoice(raw: unknown, position: number, body: JsonObject, call: ProviderCall): ChatChoice {
    if (!isObject(raw) || !isObject(raw.message)) throw unreadable('A choice of the answer has no message.');
    if (isObject(raw.error)) throw reportedFailure(raw.error, call, dialect);
    const index = countOf(raw.index) ?? position;
    const message = readMessage(raw.message, body, (position) => mintedId(call, index, position));
    const finish = toFinishReason(raw.finish_reason, message.tool_calls !== undefined, dialect);
    return {
      index,
      message,
      logprobs: logprobsOf(raw.logprobs),
      // A whole answer without a reason has ended normally.
      finish_reason: finish ?? (message.tool_calls ? 'tool_calls' : 'stop'),
    };
  }

  return (body, call) => {
    if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
    const error = dialect.errorOf ? dialect.errorOf(body) : body.error;
    if (error) throw reportedFailure(body, call, dialect);
    if (!Array.isArray(body.choices) || body.choices.length === 0) throw unreadable('The answer has no choices.');
    const choices = body.choices.map((choice: unknown, position) => readChoice(choice, position, body, call));
    const completion = completionOf(call, choices);
    copyEnvelope(body, completion);
    const usage = toUsage(body, dialect);
    if (usage) completion.usage = usage;
    return completion;
  };
}

function isAudio(audio: unknown): boolean {
  return (
    isObject(audio) &&
    [audio.id, audio.data, audio.transcript].every((field) => typeof field === 'string') &&
    Number.isInteger(audio.expires_at)
  );
}
