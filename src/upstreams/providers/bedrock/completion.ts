import type { ChatCompletion } from '../../contract/chat.types.js';
import { isObject, objectOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
import { wholeAnswer } from '../shared/whole-answer.js';
import { BedrockChunkReader } from './chunk.reader.js';

export function toCompletion(body: unknown, call: ProviderCall): ChatCompletion {
  const answer = objectOf(body);
  const { message } = objectOf(answer.output);
  if (!isObject(message) || !Array.isArray(message.content)) throw unreadable('The answer has no message.');
  return wholeAnswer(call, BedrockChunkReader, (reader) => reader.readWhole(answer, message.content));
}
