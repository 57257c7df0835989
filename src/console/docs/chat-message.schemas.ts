import { type Schema, schemaRef } from './document.types.js';
import { either, flag, list, object, oneOf, orNull, text } from './schema-words.js';

const textPart = object({ type: oneOf(['text']), text: text() }, ['type', 'text'], 'Text.');

const imagePart = object(
  {
    type: oneOf(['image_url']),
    image_url: object(
      {
        url: text(
          'The image itself, `data:image/png;base64,…`, or an https address, where the model’s API fetches those.',
        ),
        detail: oneOf(['auto', 'low', 'high', 'original']),
      },
      ['url'],
    ),
  },
  ['type', 'image_url'],
  'An image, for models with the capability `image_input`.',
);

const audioPart = object(
  {
    type: oneOf(['input_audio']),
    input_audio: object({ data: text('Base64.'), format: oneOf(['wav', 'mp3']) }, ['data', 'format']),
  },
  ['type', 'input_audio'],
  'Sound.',
);

const filePart = object(
  { type: oneOf(['file']), file: object({ filename: text(), file_data: text('A `data:` URL.'), file_id: text() }, []) },
  ['type', 'file'],
  'A file.',
);

const refusalPart = object({ type: oneOf(['refusal']), refusal: text() }, ['type', 'refusal']);

const toolCall = object(
  {
    id: text('Names the call in the `tool` message that answers it.'),
    type: oneOf(['function']),
    function: object({ name: text(), arguments: text('JSON text, exactly as the model wrote it.') }, [
      'name',
      'arguments',
    ]),
  },
  ['id', 'type', 'function'],
);

function content(parts: readonly Schema[], description?: string): Schema {
  return either([text(), list(either(parts), undefined, { minItems: 1 })], description);
}

const name = text('Tells participants of one role apart.');

/** The conversation of a request, and what its answer is made of. */
export const chatMessageSchemas: Record<string, Schema> = {
  ContentPart: either([textPart, imagePart, audioPart, filePart], 'A piece of a user message.'),
  ToolCall: toolCall,
  ChatMessage: {
    oneOf: ['System', 'User', 'Assistant', 'Tool', 'Function'].map((role) => schemaRef(`${role}Message`)),
    description: 'One message of the conversation.',
  },
  SystemMessage: object(
    { role: oneOf(['system', 'developer']), content: content([textPart]), name },
    ['role', 'content'],
    'What the model is and how it should answer.',
  ),
  UserMessage: object(
    {
      role: oneOf(['user']),
      content: either([text(), list(schemaRef('ContentPart'), undefined, { minItems: 1 })]),
      name,
    },
    ['role', 'content'],
    'What is asked.',
  ),
  AssistantMessage: object(
    {
      role: oneOf(['assistant']),
      content: orNull(content([textPart, refusalPart], 'May be missing beside `tool_calls`.')),
      refusal: orNull(text()),
      name,
      tool_calls: list(schemaRef('ToolCall')),
    },
    ['role'],
    'What the model answered before.',
  ),
  ToolMessage: object(
    {
      role: oneOf(['tool']),
      content: content([textPart, imagePart], 'Images only where the model’s API takes them here.'),
      tool_call_id: text('The `id` of the call that this answers.'),
    },
    ['role', 'content', 'tool_call_id'],
    'What a tool gave back.',
  ),
  FunctionMessage: {
    ...object({ role: oneOf(['function']), content: orNull(text()), name: text() }, ['role', 'content', 'name']),
    description: 'The older form of a `tool` message.',
    deprecated: true,
  },
  Tool: object(
    {
      type: oneOf(['function']),
      function: object(
        {
          name: text('Letters, digits, underscores and dashes.', { minLength: 1, maxLength: 64 }),
          description: text('Tells the model when and how to call it.'),
          parameters: { type: 'object', description: 'JSON Schema of the arguments.' },
          strict: orNull(flag('Whether the arguments must follow the schema exactly.')),
        },
        ['name'],
      ),
    },
    ['type', 'function'],
    'A function that the model may ask for.',
  ),
};
