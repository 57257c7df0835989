import { isObject, textOf } from '../../contract/json.js';

/** Why the model refused, as `stop_details` tells it. */
export function refusalText(details: unknown): string | null {
  return isObject(details) ? (textOf(details.explanation) ?? null) : null;
}
