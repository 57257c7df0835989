import type { ChatChoice, ChatCompletion, ChatResponseMessage } from '../../contract/chat.types.js';
import { completionOf } from '../../contract/envelope.js';
import { countOf, isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { mintedId } from '../shared/tool-call-ids.js';
import { annotationsOf } from './citations.js';
import { textParts } from './content.js';
import type { Dialect } from './dialect.js';
import { copyEnvelope } from './envelope.js';
import { reportedFailure, throwReported } from './failure.js';
import { toFinishReason } from './finish-reason.js';
import { logprobsOf } from './logprobs.js';
import { reasoningOf } from './thoughts.js';
import { argumentsOf, toolCallsOf } from './tool-calls.js';
import { toUsage } from './usage.js';

/** Builds a whole answer from known fields. */
export function toCompletion(body: unknown, call: ProviderCall, dialect: Dialect): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  throwReported(body, call, dialect);
  if (!Array.isArray(body.choices) || body.choices.length === 0) throw unreadable('The answer has no choices.');
  const choices = body.choices.map((choice: unknown, position) => readChoice(choice, position, body, call, dialect));
  const completion = completionOf(call, choices, toUsage(body, dialect));
  copyEnvelope(body, completion);
  return completion;
}

function readChoice(
  raw: unknown,
  position: number,
  body: JsonObject,
  call: ProviderCall,
  dialect: Dialect,
): ChatChoice {
  if (!isObject(raw) || !isObject(raw.message)) throw unreadable('A choice of the answer has no message.');
  if (isObject(raw.error)) throw reportedFailure(raw.error, call, dialect);
  const index = countOf(raw.index) ?? position;
  const message = readMessage(raw.message, dialect, (position) => mintedId(call, index, position));
  const extras = dialect.extras?.();
  extras?.read(raw.message, body);
  Object.assign(message, extras?.fields());
  const finish = toFinishReason(raw.finish_reason, message.tool_calls !== undefined, dialect);
  return {
    index,
    message,
    logprobs: logprobsOf(raw.logprobs),
    // A whole answer without a reason has ended normally.
    finish_reason: finish ?? (message.tool_calls ? 'tool_calls' : 'stop'),
  };
}

function readMessage(raw: JsonObject, dialect: Dialect, mintId: (index: number) => string): ChatResponseMessage {
  const { readParts = textParts } = dialect;
  const parts = Array.isArray(raw.content) ? readParts(raw.content) : undefined;
  const content = parts?.content ?? (typeof raw.content === 'string' ? raw.content : null);
  const message: ChatResponseMessage = { role: 'assistant', content, refusal: textOf(raw.refusal) ?? null };
  const reasoning = textOf(parts?.reasoning) ?? reasoningOf(raw, dialect);
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
  return message;
}

function isAudio(audio: unknown): boolean {
  return (
    isObject(audio) &&
    [audio.id, audio.data, audio.transcript].every((field) => typeof field === 'string') &&
    Number.isInteger(audio.expires_at)
  );
}
