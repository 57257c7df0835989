import { type JsonObject, type ReadonlyJsonObject, textOf } from '../../contract/json.js';
import type { Dialect } from './dialect.js';

const REASONING_FIELDS = ['reasoning_content'];

/** The reasoning in a message or a delta. */
export function reasoningOf(
  part: JsonObject,
  { reasoningFields = REASONING_FIELDS }: Pick<Dialect, 'reasoningFields'>,
): string | undefined {
  for (const field of reasoningFields) {
    const text = textOf(part[field]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns the function that renames a message's reasoning field for the API. */
export function thoughtsUnder(field: string): (message: ReadonlyJsonObject) => ReadonlyJsonObject {
  return (message) => {
    if (message.reasoning_content === undefined) return message;
    const { reasoning_content: thoughts, ...rest } = message;
    return { ...rest, [field]: thoughts };
  };
}

/** Keeps reasoning only with tool calls, where it may be needed. Some servers refuse the field elsewhere. */
export function thoughtsOfToolCalls(message: ReadonlyJsonObject): ReadonlyJsonObject {
  const { tool_calls: calls } = message;
  if (message.reasoning_content === undefined || (Array.isArray(calls) && calls.length > 0)) return message;
  const { reasoning_content: _, ...rest } = message;
  return rest;
}
