import { isObject } from '../../upstreams/contract/json.js';

/** Whether a word stands in any text or key of a JSON value. */
export function mentions(value: unknown, word: string): boolean {
  if (typeof value === 'string') return value.includes(word);
  if (Array.isArray(value)) return value.some((item) => mentions(item, word));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, inner]) => inner !== undefined && (key.includes(word) || mentions(inner, word)),
  );
}
