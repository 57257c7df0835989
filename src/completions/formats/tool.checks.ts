import { type Check, flag, oneOf, text, wrongValue } from './checks.js';
import { anyObject, list, named, nullable, optional, required, shape, tagged, textOr } from './structure.checks.js';

/**
 * A JSON schema, forwarded unchanged. Refuses a number whose digits the parser may have lost, as the provider would get
 * another number. The fault does not name keys in the schema, as they are the caller's text.
 */
export const jsonSchema: Check = {
  ...anyObject,
  faultIn(value) {
    const fault = anyObject.faultIn(value);
    if (fault || !holdsRoundedInteger(value)) return fault;
    return wrongValue('a JSON schema without integers beyond 2^53', 'one');
  },
};

/** Not recursive: schemas may be nested deeper than the stack allows. */
function holdsRoundedInteger(schema: unknown): boolean {
  const left = [schema];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'number' && isRounded(value)) return true;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner);
  }
  return false;
}

const INT64 = 2 ** 63;
/** Numbers with this many digits are written as they were read. */
const EXACT_DIGITS = 15;

/**
 * Whether an integer may differ from the one that was sent. Bounds of the 64-bit types and of doubles, which generated
 * schemas use for "no limit", are allowed despite rounding.
 */
function isRounded(value: number): boolean {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return false;
  const size = Math.abs(value);
  return size < 2 * INT64 && size !== INT64 && String(size).replace(/0+$/, '').length > EXACT_DIGITS;
}

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
