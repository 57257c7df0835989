import { isObject, type JsonObject } from '../../contract/json.js';

/**
 * `LogprobItem`s of Cohere's SDK. An item covers a piece of text, usually one token. For several tokens it has the sum,
 * as their texts are not separated. There are no alternatives.
 */
export function toLogprobs(items: unknown): JsonObject | undefined {
  const content = (Array.isArray(items) ? items : [items]).flatMap(tokenOf);
  return content.length > 0 ? { content, refusal: null } : undefined;
}

function tokenOf(item: unknown): JsonObject[] {
  if (!isObject(item) || typeof item.text !== 'string' || !Array.isArray(item.logprobs)) return [];
  const values = item.logprobs.filter((value) => typeof value === 'number');
  if (values.length === 0) return [];
  const logprob = values.reduce((sum, value) => sum + value, 0);
  return [{ token: item.text, logprob, bytes: [...Buffer.from(item.text)], top_logprobs: [] }];
}
