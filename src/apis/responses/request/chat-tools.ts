import { parseIfJson } from '../../../json/parse-if-json.js';
import type { ChatTool, ToolChoice } from '../../../upstreams/contract/chat.types.js';
import { isObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import type { OfferedTool } from './offered-tools.js';
import {
  type CustomTool,
  type FunctionTool,
  isNamespaceTool,
  isOwnTool,
  isWebSearch,
  type NamespaceTool,
  type OwnTool,
  type ResponsesRequest,
} from './responses-request.types.js';
import type { ToolNames } from './tool-names.js';
import { printable, type Translation } from './translation.js';

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['type', 'name', 'description', 'parameters', 'strict', 'format']);

/** The client's own tools become functions. Web search is left out; other hosted tools cannot be translated. */
export function toChatTools(
  tools: readonly OfferedTool[],
  names: ToolNames,
  translation: Translation,
): readonly ChatTool[] {
  const offered = new Map<string, ChatTool>();
  const offer = (tool: OwnTool, path: string, space?: NamespaceTool) => {
    const name = names.offered(space?.name, tool.name);
    // A duplicate tool is offered once.
    if (offered.has(name)) translation.drop(path);
    else offered.set(name, toChatTool(tool, name, path, translation, space?.description));
  };
  for (const { tool, path } of tools) {
    if (isNamespaceTool(tool)) {
      for (const [at, inner] of tool.tools.entries()) offer(inner, `${path}.tools[${at}]`, tool);
    } else if (isOwnTool(tool)) {
      offer(tool, path);
    } else if (isWebSearch(tool.type)) {
      translation.drop(path);
    } else {
      translation.refuse(`${path}.type`);
    }
  }
  return [...offered.values()];
}

function toChatTool(
  tool: OwnTool,
  name: string,
  path: string,
  translation: Translation,
  family?: string | null,
): ChatTool {
  translation.paths.addTool(path);
  for (const [field, value] of Object.entries(tool)) {
    if (!KNOWN_FIELDS.has(field) && value != null && value !== false) translation.drop(`${path}.${printable(field)}`);
  }
  const described = tool.type === 'custom' ? customDescription(tool) : tool.description;
  const description = described || family;
  return { type: 'function', function: { name, ...(description && { description }), ...argumentsOf(tool) } };
}

function argumentsOf(tool: OwnTool): { parameters?: ReadonlyJsonObject; strict?: boolean } {
  if (tool.type === 'custom') return { parameters: CUSTOM_PARAMETERS };
  const { parameters, strict } = tool satisfies FunctionTool;
  return { ...(parameters && { parameters }), ...(strict != null && { strict }) };
}

const CUSTOM_PARAMETERS: ReadonlyJsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: "The tool's input." } },
  required: ['input'],
  additionalProperties: false,
};

/** A JSON schema cannot express a grammar, so the description contains it. */
function customDescription({ description, format }: CustomTool): string {
  if (format?.type !== 'grammar') return description ?? '';
  const grammar = `The input follows this ${format.syntax} grammar:\n${format.definition}`;
  return description ? `${description}\n\n${grammar}` : grammar;
}

/** Undefined without tools, as APIs refuse a tool choice then. */
export function toToolChoice(
  { tool_choice: choice }: ResponsesRequest,
  hasTools: boolean,
  names: ToolNames,
  translation: Translation,
): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (typeof choice === 'string') {
    if (!hasTools && choice === 'required') translation.refuse('tool_choice', 'Offer functions in tools');
    return hasTools ? (choice as 'auto' | 'none' | 'required') : undefined;
  }
  if (choice.type === 'function' || choice.type === 'custom') return chosenFunction(nameOf(choice, names));
  if (choice.type === 'allowed_tools') return allowedTools(choice, names, translation);
  translation.refuse('tool_choice.type');
  return undefined;
}

function allowedTools({ mode, tools }: ReadonlyJsonObject, names: ToolNames, translation: Translation): ToolChoice {
  const allowed = objectsOf(tools).flatMap((tool, index) => {
    if (tool.type === 'function' || tool.type === 'custom') return [nameOf(tool, names)];
    if (tool.type === 'namespace') return names.ofNamespace(String(tool.name));
    if (isWebSearch(tool.type)) translation.drop(`tool_choice.tools[${index}]`);
    else translation.refuse(`tool_choice.tools[${index}].type`);
    return [];
  });
  if (allowed.length === 0) return 'none';
  return {
    type: 'allowed_tools',
    allowed_tools: { mode: mode === 'required' ? 'required' : 'auto', tools: allowed.map(chosenFunction) },
  };
}

function chosenFunction(name: string): { type: 'function'; function: { name: string } } {
  return { type: 'function', function: { name } };
}

function nameOf({ name, namespace }: ReadonlyJsonObject, names: ToolNames): string {
  return names.offered(typeof namespace === 'string' ? namespace : undefined, String(name));
}

/** The arguments of the function that replaces a custom tool. */
export function toCustomArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The input of a custom tool, from the arguments of its function; any other text is kept. */
export function fromCustomArguments(text: string): string {
  const value = parseIfJson(text);
  return isObject(value) && typeof value.input === 'string' ? value.input : text;
}
