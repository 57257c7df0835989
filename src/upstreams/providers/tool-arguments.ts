import { isObject, type JsonObject } from '../contract/json.js';
import { parseExactly } from './exact-json.js';

/**
 * The arguments of a tool call as an object, for an API that takes no text: `{}` for empty text. Undefined for what is
 * no JSON object, as a model's broken-off or mistaken call in a history may be.
 */
export function toolArguments(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = parseExactly(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
