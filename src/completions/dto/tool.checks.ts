import { flag, oneOf, text } from './checks.js';
import { jsonSchema } from './json-schema.check.js';
import { anyObject, list, named, nullable, optional, required, shape, tagged, textOr } from './structure-checks.js';

export const identifier = text({
  pattern: /^[a-zA-Z0-9_-]{1,64}$/,
  expected: 'a name of 1 to 64 letters, digits, underscores and dashes',
});

const customFormat = tagged(
  'type',
  {
    text: anyObject,
    grammar: shape({
      grammar: required(shape({ definition: required(text()), syntax: required(oneOf('lark', 'regex')) })),
    }),
  },
  'a format',
);

const functionFields = {
  name: required(identifier),
  description: optional(text(), 'Tells the model when and how to call it.'),
  parameters: optional(jsonSchema, 'JSON Schema of the arguments.'),
};

const strict = nullable(flag, 'Whether the arguments must follow the schema exactly.');

const tool = named(
  'Tool',
  tagged(
    'type',
    {
      function: shape({ function: required(shape({ ...functionFields, strict })) }),
      custom: shape({
        custom: required(
          shape({ name: required(text({ min: 1 })), description: optional(text()), format: optional(customFormat) }),
        ),
      }),
    },
    'a tool',
  ),
  'A function that the model can call, or a custom tool with free-form text input.',
);

export const tools = list(tool, 'a list of at most 128 tools', 0, 128);

export const functions = list(shape(functionFields), 'a list of 1 to 128 functions', 1, 128);

const chosen = required(shape({ name: required(text({ min: 1 })) }));

export const toolChoice = textOr(
  tagged(
    'type',
    {
      function: shape({ function: chosen }),
      custom: shape({ custom: chosen }),
      allowed_tools: shape({
        allowed_tools: required(
          shape({ mode: required(oneOf('auto', 'required')), tools: required(list(anyObject, 'a list of tools')) }),
        ),
      }),
    },
    'an object that names a tool',
  ),
  oneOf('none', 'auto', 'required'),
);

export const functionChoice = textOr(
  shape({ name: required(text({ min: 1 })) }, 'an object that names a function'),
  oneOf('none', 'auto'),
);

/** Tool calls of earlier assistant messages. Any name is valid, as the model chose it. */
export const toolCalls = list(
  named(
    'ToolCall',
    tagged(
      'type',
      {
        function: shape({
          id: required(text(), 'The `tool` message with the result refers to it.'),
          function: required(
            shape({
              name: required(text()),
              arguments: required(text(), 'JSON text, exactly as the model wrote it.'),
            }),
          ),
        }),
        custom: shape({
          id: required(text()),
          custom: required(shape({ name: required(text()), input: required(text()) })),
        }),
      },
      'a tool call',
    ),
  ),
  'a list of tool calls',
);
