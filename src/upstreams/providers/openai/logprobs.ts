import { isObject, type JsonObject, listOf } from '../../contract/json.js';

/** Adds the keys that OpenAI's schema requires; null if there are none. */
export function logprobsOf(value: unknown): JsonObject | null {
  if (!isObject(value)) return null;
  const content = tokensOf(value.content);
  const refusal = tokensOf(value.refusal);
  return content || refusal ? { content, refusal } : null;
}

/** Null if there are none. */
export function textLogprobs(tokens: unknown): JsonObject | null {
  return Array.isArray(tokens) && tokens.length > 0 ? logprobsOf({ content: tokens }) : null;
}

function tokensOf(tokens: unknown): JsonObject[] | null {
  return Array.isArray(tokens) ? tokens.filter(isToken).map(withAlternatives) : null;
}

function isToken(entry: unknown): entry is JsonObject {
  return isObject(entry) && typeof entry.token === 'string' && typeof entry.logprob === 'number';
}

function withAlternatives(entry: JsonObject): JsonObject {
  return { ...plainToken(entry), top_logprobs: listOf(entry.top_logprobs).filter(isToken).map(plainToken) };
}

function plainToken({ token, logprob, bytes }: JsonObject): JsonObject {
  return { token, logprob, bytes: Array.isArray(bytes) ? bytes : null };
}
