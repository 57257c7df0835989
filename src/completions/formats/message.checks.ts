import * as schema from '../../common/json-schema.js';
import { type Check, faultAt, missing, oneOf, text, wrongType, wrongValue } from './checks.js';
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
  textOr,
} from './structure.checks.js';
import { toolCalls } from './tool.checks.js';

/** Only the head of a value is checked, as media may be megabytes of base64. */
const HEAD_LENGTH = 256;

const IMAGE_DATA_URL = /^data:image\/[\w.+-]+(?:;[^;,]*)*;base64,/i;
const FILE_DATA_URL = /^data:[\w.+-]+\/[\w.+-]+(?:;[^;,]*)*;base64,/i;
const WEB_ADDRESS = /^https?:\/\/[^\s/?#]/i;

/** A `data:image/…;base64,` URL with content, or a web address, which the gateway itself never fetches. */
export const imageUrl = textByHead(
  "a web address, or a data URL that begins with 'data:image/' and a type, then ';base64,' and the encoded image",
  (head) => WEB_ADDRESS.test(head) || hasPayload(IMAGE_DATA_URL, head),
);

export const audioData = textByHead("the base64-encoded audio without a 'data:' prefix", isPayload);

export const base64Data = textByHead("base64-encoded data without a 'data:' prefix", isPayload);

/** The gateway itself never fetches it. */
export const webAddress = textByHead('a web address', (head) => WEB_ADDRESS.test(head));

export const fileData = textByHead(
  'the base64-encoded file, alone or as a data URL',
  (head) => isPayload(head) || hasPayload(FILE_DATA_URL, head),
);

function textByHead(expected: string, isValid: (head: string) => boolean): Check {
  return {
    schema: schema.text(`${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`),
    expected,
    faultIn(value) {
      if (typeof value !== 'string') return wrongType(expected, value);
      return isValid(value.slice(0, HEAD_LENGTH)) ? null : wrongValue(expected);
    },
  };
}

function isPayload(head: string): boolean {
  return head !== '' && !/^\s*data:/i.test(head);
}

function hasPayload(prefix: RegExp, head: string): boolean {
  const found = prefix.exec(head);
  return found !== null && found[0].length < head.length;
}

const promptCacheBreakpoint = optional(
  shape({ mode: required(oneOf('explicit')), ttl: optional(oneOf('30m', '12h')) }),
);

const textPart = named(
  'TextPart',
  shape({ text: required(text()), prompt_cache_breakpoint: promptCacheBreakpoint }),
  'Text.',
);

const imagePart = named(
  'ImagePart',
  shape({
    image_url: required(
      shape(
        { url: required(imageUrl), detail: optional(oneOf('auto', 'low', 'high', 'original')) },
        "an object with a 'url'",
      ),
    ),
    prompt_cache_breakpoint: promptCacheBreakpoint,
  }),
  'An image, for models with the capability `image_input`.',
);

const audioPart = named(
  'AudioPart',
  shape({
    input_audio: required(shape({ data: required(audioData), format: required(oneOf('wav', 'mp3')) })),
    prompt_cache_breakpoint: promptCacheBreakpoint,
  }),
  'Audio.',
);

const filePart = named(
  'FilePart',
  shape({
    file: required(
      shape({ filename: optional(text()), file_data: optional(fileData), file_id: optional(text({ min: 1 })) }),
    ),
    prompt_cache_breakpoint: promptCacheBreakpoint,
  }),
  'A file.',
);

const refusalPart = named('RefusalPart', shape({ refusal: required(text()) }), 'Why the model gave no answer.');

export const textContent = content({ text: textPart });
/** Tool results may contain screenshots and files. OpenAI's format does not allow them here, but other APIs do. */
const toolContent = content({ text: textPart, image_url: imagePart, file: filePart });
const userContent = content({ text: textPart, image_url: imagePart, input_audio: audioPart, file: filePart });
const assistantContent = content({ text: textPart, refusal: refusalPart });

function content(parts: Readonly<Record<string, Check>>): Check {
  return textOr(list(tagged('type', parts, 'a content part', isForeignType), 'a non-empty list of content parts', 1));
}

/** The format's own types are only valid where the format allows them. */
function isForeignType(type: string): boolean {
  return !['text', 'image_url', 'input_audio', 'file', 'refusal'].includes(type);
}

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
          content: required(
            toolContent,
            'Images and files go into a user message behind the results where the model’s API takes only text here.',
          ),
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
  return ['tool_calls', 'function_call', 'refusal', 'audio', 'images', 'reasoning_content'].some(
    (name) => message[name] != null,
  );
}
