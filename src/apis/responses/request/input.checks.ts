import {
  type Check,
  type Fault,
  faultAt,
  flag,
  listed,
  missing,
  oneOf,
  oneOfOrForeign,
  text,
  wrongType,
  wrongValue,
} from '../../../completions/formats/checks.js';
import { audioData, fileData, imageUrl } from '../../../completions/formats/message.checks.js';
import {
  anyObject,
  isJsonObject,
  list,
  nullable,
  required,
  shape,
  tagged,
  textOr,
} from '../../../completions/formats/structure.checks.js';
import { identifier, jsonSchema } from '../../../completions/formats/tool.checks.js';

const breakpoint = nullable(anyObject);
const detail = nullable(oneOf('auto', 'low', 'high', 'original'));
const fileId = nullable(text({ min: 1 }));
const webAddress = text({ pattern: /^https?:\/\/[^\s/?#]/i, expected: 'a web address' });

const inputText = shape({ text: required(text()), prompt_cache_breakpoint: breakpoint });

const inputImage = withOneOf(
  ['image_url', 'file_id'],
  shape({ image_url: nullable(imageUrl), file_id: fileId, detail, prompt_cache_breakpoint: breakpoint }),
  `'image_url' with ${imageUrl.expected}`,
);

const inputFile = withOneOf(
  ['file_data', 'file_url', 'file_id'],
  shape({
    filename: nullable(text()),
    file_data: nullable(fileData),
    file_url: nullable(webAddress),
    file_id: fileId,
    prompt_cache_breakpoint: breakpoint,
  }),
  `'file_data' with ${fileData.expected}`,
);

const inputAudio = shape({
  input_audio: required(shape({ data: required(audioData), format: required(oneOf('wav', 'mp3')) })),
});

const outputText = shape({ text: required(text()), annotations: nullable(list(anyObject, 'a list of annotations')) });
const refusal = shape({ refusal: required(text()) });

const KNOWN_PARTS: ReadonlySet<string> = new Set([
  'input_text',
  'input_image',
  'input_file',
  'input_audio',
  'output_text',
  'refusal',
  'text',
  'image_url',
  'file',
]);

const inputParts = { input_text: inputText, input_image: inputImage, input_file: inputFile };

const userContent = content({ ...inputParts, input_audio: inputAudio }, 1);
const instructionContent = content(inputParts, 1);
const assistantContent = content({ output_text: outputText, refusal, input_text: inputText }, 0);
const toolOutput = content(inputParts, 0);

function content(parts: Readonly<Record<string, Check>>, min: number): Check {
  const words = min > 0 ? 'a non-empty list of content parts' : 'a list of content parts';
  return textOr(list(tagged('type', parts, 'a content part', isUnknownPart), words, min));
}

/** Native targets may know other parts. The types of Chat Completions are only mistaken for those of this API. */
export function isUnknownPart(type: string): boolean {
  return !KNOWN_PARTS.has(type);
}

/** An object with at least one of these fields. If all are missing, the fault names the first. */
function withOneOf(fields: readonly [string, ...string[]], check: Check, expected: string): Check {
  return {
    ...check,
    faultIn(value): Fault | null {
      const fault = check.faultIn(value);
      if (fault || !isJsonObject(value) || fields.some((field) => value[field] != null)) return fault;
      return faultAt(`.${fields[0]}`, missing(expected));
    },
  };
}

export const effort = nullable(oneOfOrForeign('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'));

export const textFormat = nullable(
  tagged(
    'type',
    {
      text: anyObject,
      json_object: anyObject,
      json_schema: shape({
        name: required(identifier),
        description: nullable(text()),
        schema: required(jsonSchema),
        strict: nullable(flag),
      }),
    },
    'an object that names a format',
  ),
);

/** An item `configuration_update`, whose settings apply from its place in the conversation on. */
const configurationUpdate = shape({
  reasoning: nullable(shape({ effort })),
  text: nullable(shape({ format: textFormat })),
});

const functionTool = shape({
  name: required(identifier),
  description: nullable(text()),
  parameters: nullable(jsonSchema),
  strict: nullable(flag),
});

const customTool = shape({
  name: required(text({ min: 1 })),
  description: nullable(text()),
  format: nullable(
    tagged(
      'type',
      {
        text: anyObject,
        grammar: shape({ definition: required(text()), syntax: required(oneOf('lark', 'regex')) }),
      },
      'a format',
    ),
  ),
});

const ownTools = { function: functionTool, custom: customTool };

const namespaceTool = shape({
  name: required(text({ min: 1 })),
  description: nullable(text()),
  tools: required(list(tagged('type', ownTools, 'a tool'), 'a list of tools')),
});

const named = shape({ name: required(text({ min: 1 })), namespace: nullable(text()) });

export const tools = list(byType({ ...ownTools, namespace: namespaceTool }, 'a tool'), 'a list of tools');

export const toolChoice = textOr(
  byType(
    {
      function: named,
      custom: named,
      allowed_tools: shape({
        mode: required(oneOf('auto', 'required')),
        tools: required(list(byType({ function: named, custom: named }, 'a tool'), 'a list of tools')),
      }),
    },
    'an object that names a tool',
  ),
  oneOf('none', 'auto', 'required'),
);

/** An object with a `type`. Unknown types are tools of the provider, whose fields are not checked. */
function byType(known: Readonly<Record<string, Check>>, expected: string): Check {
  const checks = new Map<unknown, Check>(Object.entries(known));
  const type = text({ min: 1 });
  return {
    schema: anyObject.schema,
    expected,
    faultIn(value) {
      if (!isJsonObject(value)) return wrongType(expected, value);
      const check = checks.get(value.type);
      if (check) return check.faultIn(value);
      const fault = value.type === undefined ? missing(type.expected) : type.faultIn(value.type);
      return fault && faultAt('.type', fault);
    },
  };
}

const instruction = shape({ content: required(instructionContent) });

const message = tagged(
  'role',
  {
    user: shape({ content: required(userContent) }),
    system: instruction,
    developer: instruction,
    assistant: shape({ content: required(assistantContent) }),
  },
  'a message',
);

const call = { call_id: required(text({ min: 1 })), name: required(text({ min: 1 })), namespace: nullable(text()) };
const result = shape({ call_id: required(text({ min: 1 })), output: required(toolOutput) });
const texts = list(shape({ text: required(text()) }), 'a list of texts');

/** Items that every target accepts. */
const TRANSLATED: ReadonlyMap<unknown, Check> = new Map([
  ['message', message],
  ['function_call', shape({ ...call, arguments: required(text()) })],
  ['function_call_output', result],
  ['custom_tool_call', shape({ ...call, input: required(text()) })],
  ['custom_tool_call_output', result],
  ['configuration_update', configurationUpdate],
  ['additional_tools', shape({ tools: required(tools) })],
  ['reasoning', shape({ summary: nullable(texts), content: nullable(texts), encrypted_content: nullable(text()) })],
]);

/** Calls and results of hosted tools in earlier answers; left out for translated targets. */
const HOSTED_TRACES: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
]);

/** The type of an item; messages may leave it out. */
export function itemType(item: Readonly<Record<string, unknown>>): unknown {
  return item.type ?? (item.role === undefined ? undefined : 'message');
}

/** Whether targets without the Responses API receive items of this type. */
export function isTranslated(type: unknown): boolean {
  return TRANSLATED.has(type);
}

export function isHostedTrace(type: unknown): boolean {
  return HOSTED_TRACES.has(type);
}

const item: Check = {
  schema: anyObject.schema,
  expected: 'an input item',
  faultIn(value) {
    if (!isJsonObject(value)) return wrongType('an input item', value);
    const type = itemType(value);
    const check = TRANSLATED.get(type);
    if (check) return check.faultIn(value);
    // Native targets may know types that the gateway does not.
    if (typeof type === 'string' && type !== '') return null;
    const expected = listed([...TRANSLATED.keys()].map(String));
    if (type === undefined || type === null) return faultAt('.type', missing(expected));
    return faultAt('.type', type === '' ? wrongValue(expected) : wrongType(expected, type));
  },
};

/** A text, or the items of the conversation. */
export const input = textOr(list(item, 'a non-empty list of input items', 1));
