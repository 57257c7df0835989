import { type JsonObject, type ReadonlyJsonObject, textOf } from '../../contract/json.js';
import type { Dialect } from './dialect.js';

export function reasoningReader({ reasoningFields }: Dialect): (part: JsonObject) => string | undefined {
  const [first = 'reasoning_content', ...others] = reasoningFields ?? [];
  if (others.length === 0) return (part) => textOf(part[first]);
  return (part) => {
    let text = textOf(part[first]);
    for (const field of others) text ??= textOf(part[field]);
    return text;
  };
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
