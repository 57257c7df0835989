import type { JsonObject } from '../../contract/json.js';

/** Makes the function that puts the thoughts of a message, which clients know by one name, under the API's name. */
export function thoughtsUnder(field: string): (message: JsonObject) => JsonObject {
  return (message) => {
    if (message.reasoning_content === undefined) return message;
    const { reasoning_content: thoughts, ...rest } = message;
    return { ...rest, [field]: thoughts };
  };
}

/** Without thoughts that led to no tool call: those alone may have to come back, and some servers refuse the field. */
export function thoughtsOfToolCalls(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (message.reasoning_content === undefined || (Array.isArray(calls) && calls.length > 0)) return message;
  const { reasoning_content: _, ...rest } = message;
  return rest;
}
