import { type Check, listed, text } from '../../../completions/dto/checks.js';
import { faultAt, missing, wrongType, wrongValue } from '../../../completions/dto/fault.js';
import {
  anyObject,
  isJsonObject,
  list,
  nullable,
  required,
  shape,
  tagged,
  textOr,
} from '../../../completions/dto/structure-checks.js';
import { assistantContent, instructionContent, toolOutput, userContent } from './content.checks.js';
import { tools } from './tool.checks.js';

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

/** The other items of OpenAI's published document, which only the Responses API itself accepts. */
const NATIVE: ReadonlySet<unknown> = new Set([
  'apply_patch_call',
  'apply_patch_call_output',
  'compaction',
  'compaction_trigger',
  'computer_call',
  'computer_call_output',
  'configuration_update',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_approval_request',
  'mcp_approval_response',
  'program',
  'program_output',
  'shell_call',
  'shell_call_output',
  'tool_search_call',
  'tool_search_output',
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
    if (HOSTED_TRACES.has(type) || NATIVE.has(type)) return null;
    const expected = listed([...TRANSLATED.keys()].map(String));
    if (type === undefined || type === null) return faultAt('.type', missing(expected));
    return faultAt('.type', typeof type === 'string' ? wrongValue(expected) : wrongType(expected, type));
  },
};

/** A text, or the items of the conversation. */
export const input = textOr(list(item, 'a non-empty list of input items', 1));
