import { type Check, text } from './checks.js';
import { assistantContent, textContent, toolContent, userContent } from './content-part.checks.js';
import { faultAt, missing, wrongType } from './fault.js';
import type { JsonObject } from './structure-checks.js';
import { isJsonObject, list, nullable, optional, required, requiredOrNull, shape, tagged } from './structure-checks.js';
import { toolCalls } from './tool.checks.js';

const name = optional(text());

const assistantFields = shape({
  content: nullable(assistantContent),
  refusal: nullable(text()),
  name,
  audio: nullable(shape({ id: required(text()) })),
  tool_calls: optional(toolCalls),
  function_call: nullable(shape({ name: required(text()), arguments: required(text()) })),
});

/** Says something: its content may be left out (or null) where it called tools, refused, spoke or only reasoned. */
const assistantMessage: Check = {
  expected: 'an assistant message',
  faultIn(value) {
    const fault = assistantFields.faultIn(value);
    if (fault || !isJsonObject(value) || saysSomething(value)) return fault;
    const expected = `${assistantContent.expected}, or 'tool_calls'`;
    return faultAt('.content', value.content === null ? wrongType(expected, null) : missing(expected));
  },
};

const message = tagged(
  'role',
  {
    system: shape({ content: required(textContent), name }),
    developer: shape({ content: required(textContent), name }),
    user: shape({ content: required(userContent), name }),
    assistant: assistantMessage,
    tool: shape({ content: required(toolContent), tool_call_id: required(text()) }),
    function: shape({ content: requiredOrNull(text()), name: required(text()) }),
  },
  'a message',
);

/** The conversation, walked once. */
export const messages = list(message, 'a non-empty list of messages', 1);

function saysSomething(message: JsonObject): boolean {
  if (typeof message.content === 'string' || Array.isArray(message.content)) return true;
  return ['tool_calls', 'function_call', 'refusal', 'audio', 'reasoning_content'].some((name) => message[name] != null);
}
