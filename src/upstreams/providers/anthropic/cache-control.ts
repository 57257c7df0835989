import { isObject, type JsonObject } from '../../contract/json.js';

/** The mark up to which a prompt is to be cached, which callers of this API put beside OpenAI's fields. */
export function cacheControl(marked: object): { cache_control?: JsonObject } {
  const mark = 'cache_control' in marked ? marked.cache_control : undefined;
  return isObject(mark) ? { cache_control: mark } : {};
}
