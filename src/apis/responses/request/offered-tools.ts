import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import { isJsonObject, type JsonObject } from '../../../completions/formats/structure.checks.js';
import { isObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { itemType } from './input.checks.js';
import { type InputItem, isWebSearch, type ResponsesRequest, type ResponsesTool } from './responses-request.types.js';

/** Tools that cost only tokens: the client runs them, or they only search the request's tools. */
const COST_ONLY_TOKENS: ReadonlySet<unknown> = new Set([
  'function',
  'custom',
  'namespace',
  'apply_patch',
  'computer',
  'computer_use_preview',
  'local_shell',
  'tool_search',
]);

/** All other tools, also those of unknown types, count as run by the provider. */
export function costsOnlyTokens({ type, environment }: ReadonlyJsonObject): boolean {
  if (type === 'shell') return isObject(environment) && environment.type === 'local';
  return COST_ONLY_TOKENS.has(type);
}

export interface OfferedTool {
  readonly tool: ResponsesTool;
  readonly path: string;
}

/** Whether an input item offers tools. Codex sends such items for models that it knows. */
export function isAdditionalTools(item: InputItem): boolean {
  return itemType(item) === 'additional_tools';
}

/** The tools of `tools` and of items of the input. */
export function offeredTools({ tools, input }: ResponsesRequest): OfferedTool[] {
  const offered = toOffered(tools ?? [], 'tools');
  if (typeof input === 'string') return offered;
  for (const [index, item] of input.entries()) {
    if (isAdditionalTools(item)) offered.push(...toOffered(toolsOf(item), `input[${index}].tools`));
  }
  return offered;
}

interface FoundTool {
  readonly tool: ReadonlyJsonObject;
  readonly path: string;
  /** `additional`: of an item with additional tools. */
  readonly list: 'tools' | 'additional' | 'other';
}

/** All tools that a provider may offer to the model: of `tools`, of items of the input, and of namespaces in them. */
function* toolsIn({ tools, input }: ReadonlyJsonObject): Generator<FoundTool> {
  yield* toolsOfList(tools, 'tools', 'tools');
  if (!Array.isArray(input)) return;
  for (const [index, item] of input.entries()) {
    // What a server said about its tools offers none of them.
    if (!isObject(item) || item.type === 'mcp_list_tools') continue;
    yield* toolsOfList(item.tools, `input[${index}].tools`, item.type === 'additional_tools' ? 'additional' : 'other');
  }
}

/** In order, with a stack, as each tool would pass through all generators around it. */
function* toolsOfList(tools: unknown, at: string, list: FoundTool['list']): Generator<FoundTool> {
  const open = Array.isArray(tools) ? [{ tools, at, list, next: 0 }] : [];
  for (let level = open.at(-1); level; level = open.at(-1)) {
    if (level.next === level.tools.length) {
      open.pop();
      continue;
    }
    const path = `${level.at}[${level.next}]`;
    const tool: unknown = level.tools[level.next++];
    if (!isObject(tool)) continue;
    yield { tool, path, list: level.list };
    if (Array.isArray(tool.tools)) open.push({ tools: tool.tools, at: `${path}.tools`, list: 'other', next: 0 });
  }
}

/** The path of the first hosted tool outside of `tools`, which has no price. Web search is removed from `additional`. */
function hostedToolInInput(body: ReadonlyJsonObject): string | null {
  for (const { tool, path, list } of toolsIn(body)) {
    const isRemoved = list === 'additional' && isWebSearch(tool.type);
    if (list !== 'tools' && !isRemoved && !costsOnlyTokens(tool)) return `${path}.type`;
  }
  return null;
}

/** The same item without web search, which only has a price in `tools`. */
export function withoutSearchTools(item: InputItem): InputItem {
  if (!isAdditionalTools(item) || !toolsOf(item).some(({ type }) => isWebSearch(type))) return item;
  return { ...item, tools: toolsOf(item).filter(({ type }) => !isWebSearch(type)) } satisfies JsonObject;
}

function toolsOf({ tools }: InputItem): readonly ResponsesTool[] {
  return tools as readonly ResponsesTool[];
}

function toOffered(tools: readonly ResponsesTool[], list: string): OfferedTool[] {
  return tools.map((tool, index) => ({ tool, path: `${list}[${index}]` }));
}

const WHOLE = "Send the whole conversation in 'input'";

/** Clients such as the Vercel AI SDK refer to items of earlier answers unless storing is turned off. */
const STORED_ITEM = `it refers to a stored item, and the gateway stores none. Set the option 'store' of your client to false. ${WHOLE}`;

/** Fields that need data stored at the gateway or the provider, with the remedy. */
const DENIED: readonly (readonly [field: string, reason: string])[] = [
  ['previous_response_id', `the gateway stores no responses. ${WHOLE}, with the items of earlier answers`],
  ['conversation', `the gateway stores no conversations. ${WHOLE}`],
  ['prompt', "prompts stored at the provider are not available. Send their text in 'instructions' and 'input'"],
  ['container', "containers in the provider's account are not available. Leave it out"],
  ['mcp_servers', "it is not a field of this API. Offer the server's functions in 'tools'"],
];

/** Throws a 400 for fields that no target may receive, native or translated. */
export function refuseDenied(body: JsonObject): void {
  for (const [field, reason] of DENIED) if (body[field] != null) throw denied(field, reason);
  if (body.background === true) {
    throw denied('background', "the gateway cannot answer in the background. Leave it out, and set 'stream' to true");
  }
  if (Array.isArray(body.input)) refuseReferences(body.input);
  const hosted = hostedToolInInput(body);
  if (hosted !== null) throw denied(hosted, "the provider's tools can only be offered in 'tools'");
  refuseContainers(body);
}

/** `{"type": "item_reference", "id": …}`; the type may be missing. */
function refuseReferences(input: readonly unknown[]): void {
  const index = input.findIndex((item) => isJsonObject(item) && isReference(item));
  if (index >= 0) throw denied(`input[${index}]`, STORED_ITEM);
}

export function isReference({ type, role, id }: JsonObject): boolean {
  return type === 'item_reference' || (type == null && role === undefined && typeof id === 'string');
}

/** References to existing containers in the provider's account, as any caller could open them. */
function refuseContainers(body: JsonObject): void {
  for (const { tool, path } of toolsIn(body)) {
    const container = containerPath(tool);
    if (container !== null)
      throw denied(`${path}.${container}`, "containers in the provider's account are not available");
  }
}

function containerPath({ container, environment }: ReadonlyJsonObject): string | null {
  if (typeof container === 'string') return 'container';
  return objectsOf([environment]).some(({ container_id }) => container_id != null) ? 'environment.container_id' : null;
}

function denied(path: string, reason: string): GatewayError {
  return invalidRequest('unsupported_parameter', path, `'${path}' is not supported: ${reason}.`);
}
