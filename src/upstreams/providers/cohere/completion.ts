import type { ChatCompletion } from '../../contract/chat.types.js';
import { isObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { wholeAnswer } from '../shared/whole-answer.js';
import { CohereChunkReader } from './chunk.reader.js';
import { reportedFailure } from './failure.js';
import { isFailure } from './finish-reason.js';
import { toLogprobs } from './logprobs.js';

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (isFailure(body.finish_reason)) throw reportedFailure(body, call);
  const { message, logprobs } = body;
  if (!isObject(message)) throw unreadable('The answer has no message.');
  const read = (reader: CohereChunkReader) => reader.readWhole(body, message);
  return wholeAnswer(call, CohereChunkReader, read, toLogprobs(logprobs));
}
