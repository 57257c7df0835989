import { isObject, type JsonObject, textOf } from '../../contract/json.js';

/** What a reasoning item shows of the model's thoughts: the summary's parts, or else the thoughts themselves. */
export function thoughtsOf({ summary, content }: JsonObject): string[] {
  const shown = textsOf(summary);
  return shown.length > 0 ? shown : textsOf(content);
}

function textsOf(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part) => (isObject(part) ? (textOf(part.text) ?? []) : []));
}
