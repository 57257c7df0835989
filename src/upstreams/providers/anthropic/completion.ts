import type { ChatCompletion } from '../../contract/chat.types.js';
import { isObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { wholeAnswer } from '../shared/whole-answer.js';
import { AnthropicChunkReader } from './chunk.reader.js';
import { reportedFailure } from './failure.js';

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  if (body.type === 'error') throw reportedFailure(body, call);
  if (!Array.isArray(body.content)) throw unreadable('The answer has no content.');
  return wholeAnswer(call, AnthropicChunkReader, (reader) => reader.readWhole(body));
}
