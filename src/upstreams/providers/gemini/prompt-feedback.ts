import { isObject, type JsonObject } from '../../contract/json.js';

/** Whether the prompt was refused as a whole: then there is no candidate, only the reason. */
export function isBlocked({ candidates, promptFeedback }: JsonObject): boolean {
  const hasNone = !Array.isArray(candidates) || candidates.length === 0;
  return hasNone && isObject(promptFeedback) && Boolean(promptFeedback.blockReason);
}
