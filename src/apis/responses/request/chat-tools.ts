import { parseIfJson } from '../../../json/exact-json.js';
import type { ChatTool, ToolChoice } from '../../../upstreams/contract/chat.types.js';
import { isObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { LONGEST_NAME, shortName } from '../../shared/tool-arguments.js';
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
  type ResponsesTool,
} from './responses-request.types.js';
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
  const allowed = new Set<string>();
  const namespaces = new Set<unknown>();
  for (const [index, tool] of objectsOf(tools).entries()) {
    if (tool.type === 'function' || tool.type === 'custom') allowed.add(nameOf(tool, names));
    else if (tool.type === 'namespace') namespaces.add(String(tool.name));
    else if (isWebSearch(tool.type)) translation.drop(`tool_choice.tools[${index}]`);
    else translation.refuse(`tool_choice.tools[${index}].type`);
  }
  for (const name of names.ofNamespaces(namespaces)) allowed.add(name);
  if (allowed.size === 0) return 'none';
  return {
    type: 'allowed_tools',
    allowed_tools: { mode: mode === 'required' ? 'required' : 'auto', tools: [...allowed].map(chosenFunction) },
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

/** A tool as the client knows it. */
export interface CalledTool {
  readonly name: string;
  readonly namespace?: string;
  /** Whether it takes free text. For translated targets it becomes a function with one argument, `input`. */
  readonly isCustom: boolean;
}

/**
 * Unique names of tools for translated targets: 1 to 64 letters, digits, underscores and dashes. They depend only on
 * the request's tools, so that they are the same in all turns of a conversation.
 */
export class ToolNames {
  private readonly offeredNames = new Map<string, string>();
  private readonly tools = new Map<string, CalledTool>();

  constructor(tools: readonly ResponsesTool[]) {
    const own = tools.filter(isOwnTool);
    // Names that are valid already are assigned first.
    for (const tool of own) if (toName(tool.name) === tool.name) this.add(undefined, tool);
    for (const tool of own) if (toName(tool.name) !== tool.name) this.add(undefined, tool);
    for (const space of tools.filter(isNamespaceTool)) for (const tool of space.tools) this.add(space.name, tool);
  }

  /** Tools of earlier calls that are no longer offered only get a valid name. */
  offered(namespace: string | null | undefined, name: string): string {
    return this.offeredNames.get(keyOf(namespace, name)) ?? toName(joined(namespace, name));
  }

  /** The tool that the model called; unknown names are kept. */
  called(offered: string): CalledTool {
    return this.tools.get(offered) ?? { name: offered, isCustom: false };
  }

  /** The offered names of all tools in these namespaces. */
  ofNamespaces(namespaces: ReadonlySet<unknown>): string[] {
    return [...this.tools].filter(([, { namespace }]) => namespaces.has(namespace)).map(([offered]) => offered);
  }

  private add(namespace: string | undefined, tool: OwnTool): void {
    const key = keyOf(namespace, tool.name);
    if (this.offeredNames.has(key)) return;
    let offered = toName(joined(namespace, tool.name));
    for (let attempt = 1; this.tools.has(offered); attempt++) offered = shortName(offered, `${key}${attempt}`);
    this.offeredNames.set(key, offered);
    this.tools.set(offered, {
      name: tool.name,
      ...(namespace !== undefined && { namespace }),
      isCustom: tool.type === 'custom',
    });
  }
}

function joined(namespace: string | null | undefined, name: string): string {
  if (!namespace) return name;
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}

function toName(name: string): string {
  const valid = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return valid === name && name.length <= LONGEST_NAME ? name : shortName(valid, name);
}

function keyOf(namespace: string | null | undefined, name: string): string {
  return `${namespace ?? ''}\0${name}`;
}
