import { invalidRequest } from '../../../common/gateway.error.js';
import { type Check, flag, oneOf, text } from '../../../completions/formats/checks.js';
import {
  anyObject,
  isJsonObject,
  list,
  nullable,
  required,
  shape,
  tagged,
} from '../../../completions/formats/structure.checks.js';
import { jsonSchema } from '../../../completions/formats/tool.checks.js';
import type { ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { cacheControl } from './block.checks.js';
import type { MessagesRequest, ToolParam } from './messages.types.js';

const ownTool = shape({
  type: nullable(oneOf('custom')),
  name: required(
    text({
      pattern: /^[a-zA-Z0-9_-]{1,128}$/,
      expected: 'a name of 1 to 128 letters, digits, underscores and dashes',
    }),
  ),
  description: nullable(text()),
  input_schema: required(jsonSchema),
  strict: nullable(flag),
  cache_control: cacheControl,
});

const providersTool = shape({ type: required(text({ min: 1 })) });

export function isOwnTool({ type }: { readonly type?: unknown }): boolean {
  return type === undefined || type === null || type === 'custom';
}

const VERSION = /_\d{8}$/;

/** Tools of Anthropic's that the client runs, without their version. */
const CLIENT_TOOLS: ReadonlySet<string> = new Set([
  'bash',
  'browser_toolset',
  'computer',
  'computer_toolset',
  'memory',
  'text_editor',
]);

/** `web_search` for `web_search_20250305`, as in price lists. */
export function toolFamily(type: string): string {
  return type.replace(VERSION, '');
}

/** All other tools, also those of unknown types, count as run by the provider. */
export function isClientTool(tool: { readonly type?: unknown }): boolean {
  return isOwnTool(tool) || CLIENT_TOOLS.has(toolFamily(String(tool.type)));
}

/**
 * Throws a 400 for a tool within a conversation that the client does not run, as limits and prices only know those of
 * `tools`. Conversations define tools in a `tool_addition`, and in what a `compaction` keeps of such blocks.
 */
export function refuseHiddenTools(body: ReadonlyJsonObject): void {
  for (const field of ['system', 'messages']) {
    const within = hostedToolWithin(body[field]);
    if (within === null) continue;
    const path = field + within;
    const message = `'${path}' is not supported. The provider's tools can only be offered in 'tools'.`;
    throw invalidRequest('unsupported_parameter', path, message);
  }
}

const DEFINING: ReadonlySet<string> = new Set(['definition', 'tools']);
/** What the model wrote, of any form, and schemas. */
const FREE_FORM: ReadonlySet<string> = new Set(['input', 'input_schema']);

/** Builds the path only where it finds one, as conversations have many values. */
function hostedToolWithin(value: unknown): string | null {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const within = hostedToolWithin(value[index]);
      if (within !== null) return `[${index}]${within}`;
    }
    return null;
  }
  if (!isJsonObject(value)) return null;
  for (const name in value) {
    const inner = value[name];
    if (typeof inner !== 'object' || FREE_FORM.has(name)) continue;
    if (DEFINING.has(name) && [inner].flat().some(isHostedTool)) return `.${name}`;
    const within = hostedToolWithin(inner);
    if (within !== null) return `.${name}${within}`;
  }
  return null;
}

function isHostedTool(tool: unknown): boolean {
  return isJsonObject(tool) && !isClientTool(tool);
}

const tool: Check = {
  ...ownTool,
  expected: 'a tool',
  faultIn: (value) => (isJsonObject(value) && !isOwnTool(value) ? providersTool : ownTool).faultIn(value),
};

export const tools = list(tool, 'a list of tools');

const parallel = { disable_parallel_tool_use: nullable(flag) };

export const toolChoice = tagged(
  'type',
  {
    auto: shape(parallel),
    any: shape(parallel),
    tool: shape({ name: required(text({ min: 1 })), ...parallel }),
    none: anyObject,
  },
  'an object that says whether to call a tool',
);

/** `web_search_20250305` … Agents always offer it, so it is left out if no target has it. */
const WEB_SEARCH = /^web_search/;

export function isWebSearch(tool: ToolParam): boolean {
  return !isOwnTool(tool) && WEB_SEARCH.test(tool.type ?? '');
}

/** Whether the request offers web search without insisting on it. */
export function canDoWithoutSearch({ tools, tool_choice: choice }: MessagesRequest): boolean {
  const searches = tools?.filter(isWebSearch) ?? [];
  return searches.length > 0 && !(choice?.type === 'tool' && searches.some(({ name }) => name === choice.name));
}

/** The same request without web search, and without a tool choice if no tools are left. */
export function withoutWebSearch(request: MessagesRequest): MessagesRequest {
  const tools = request.tools?.filter((tool) => !isWebSearch(tool)) ?? [];
  if (tools.length > 0) return { ...request, tools };
  const { tools: _, tool_choice: __, ...rest } = request;
  return rest as MessagesRequest;
}

export function pathsOfWebSearch({ tools }: MessagesRequest): readonly string[] {
  return (tools ?? []).flatMap((tool, index) => (isWebSearch(tool) ? [`tools[${index}]`] : []));
}
