import { type Check, text } from './checks.js';
import { assistantContent, textContent, toolContent, userContent } from './content-part.checks.js';
import { faultAt, missing, wrongType } from './fault.js';
import {
  isJsonObject,
  type JsonObject,
  list,
  named,
  nullable,
  older,
  optional,
  required,
  requiredOrNull,
  shape,
  tagged,
} from './structure-checks.js';
import { toolCalls } from './tool.checks.js';

const name = optional(text(), 'Distinguishes participants with the same role.');

const assistantFields = shape({
  content: nullable(assistantContent, 'May be missing when there is `tool_calls`, `refusal` or `audio`.'),
  refusal: nullable(text()),
  name,
  audio: nullable(shape({ id: required(text()) })),
  tool_calls: optional(toolCalls),
  function_call: older(nullable(shape({ name: required(text()), arguments: required(text()) }))),
});

const assistantMessage: Check = {
  schema: assistantFields.schema,
  expected: 'an assistant message',
  faultIn(value) {
    const fault = assistantFields.faultIn(value);
    if (fault || !isJsonObject(value) || hasOutput(value)) return fault;
    const expected = `${assistantContent.expected}, or 'tool_calls'`;
    return faultAt('.content', value.content === null ? wrongType(expected, null) : missing(expected));
  },
};

const instructions = shape({ content: required(textContent), name });

const message = named(
  'ChatMessage',
  tagged(
    'role',
    {
      system: named('SystemMessage', instructions, 'What the model is and how it should answer.'),
      developer: named('DeveloperMessage', instructions, 'The newer form of a `system` message.'),
      user: named('UserMessage', shape({ content: required(userContent), name }), 'The user’s input.'),
      assistant: named('AssistantMessage', assistantMessage, 'An earlier answer of the model.'),
      tool: named(
        'ToolMessage',
        shape({
          content: required(toolContent, 'Images only where the model’s API supports them here.'),
          tool_call_id: required(text(), 'The `id` of the tool call.'),
        }),
        'The result of a tool call.',
      ),
      function: named(
        'FunctionMessage',
        shape({ content: requiredOrNull(text()), name: required(text()) }),
        'The older form of a `tool` message.',
      ),
    },
    'a message',
  ),
  'One message of the conversation.',
);

export const messages = list(message, 'a non-empty list of messages', 1);

function hasOutput(message: JsonObject): boolean {
  if (typeof message.content === 'string' || Array.isArray(message.content)) return true;
  return ['tool_calls', 'function_call', 'refusal', 'audio', 'reasoning_content'].some((name) => message[name] != null);
}
