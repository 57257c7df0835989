import type { ChatChoice, ChatCompletion } from '../../contract/chat.types.js';
import { completionOf } from '../../contract/envelope.js';
import { countOf, isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { joinedMessage } from '../shared/whole-answer.js';
import { CandidateReader } from './candidate.reader.js';
import { reportedFailure } from './failure.js';
import { isBlocked } from './finish-reason.js';
import { logprobsOf } from './logprobs.js';
import { toUsage } from './usage.js';

/** A blocked prompt is an empty answer with `content_filter`. */
export function toCompletion(answer: unknown, call: ProviderCall): ChatCompletion {
  const body: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (body.error) throw reportedFailure(body, call);
  return completionOf(call, choicesOf(body, call), toUsage(body));
}

function choicesOf(body: JsonObject, call: ProviderCall): ChatChoice[] {
  if (isBlocked(body)) {
    return [{ index: 0, message: joinedMessage([]), finish_reason: 'content_filter', logprobs: null }];
  }
  if (!Array.isArray(body.candidates) || body.candidates.length === 0) throw unreadable('The answer has no candidate.');
  return body.candidates.map((candidate: unknown, position) => {
    if (!isObject(candidate)) throw unreadable('A candidate of the answer is not an object.');
    const index = countOf(candidate.index) ?? position;
    const reader = new CandidateReader(call, index);
    const message = joinedMessage([reader.read(candidate), reader.end()]);
    return {
      index,
      message,
      // A whole answer without a reason has ended normally.
      finish_reason: reader.finishReason ?? (message.tool_calls ? 'tool_calls' : 'stop'),
      logprobs: logprobsOf(candidate.logprobsResult),
    };
  });
}
