import { endOfId } from '../../../common/ids.js';
import type { NativeRequest } from '../../../completions/formats/call-format.js';
import { isDeniedField } from '../../../completions/formats/denied-fields.js';
import { accountFileIn } from '../../../completions/formats/provider-files.js';
import { paidFields } from '../../../limits/paid-options.js';
import type { ChatCompletionRequest } from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import type { NativeBody } from '../../../upstreams/contract/native.body.js';
import { withNativeForm } from '../../../upstreams/tokens/native-walk.js';
import { isOwnReasoning } from '../../shared/carried-reasoning.js';
import { isHostedTrace, isTranslated, itemType } from './input.checks.js';
import { costsOnlyTokens, isAdditionalTools, withoutSearchTools } from './offered-tools.js';
import {
  type InputItem,
  isNamespaceTool,
  isOwnTool,
  isWebSearch,
  type ResponsesRequest,
  type ResponsesTool,
} from './responses-request.types.js';
import type { Translation } from './translation.js';

/**
 * The request for targets with the Responses API: unchanged, except for fields that no provider may receive.
 * `searches`: keeps web search.
 */
export function toNativeRequest(request: ResponsesRequest, translation: Translation, searches: boolean): NativeRequest {
  const fields = nativeFields(request);
  const leftOut = searches ? [] : pathsOfSearch(request);
  if (leftOut.length > 0) Object.assign(fields, withoutSearch(request));
  return {
    body: { api: 'responses', fields, headers: {} },
    leftOut,
    untranslated: translation.dropped,
    untranslatable: translation.refusal,
    accountFile: accountFileOf(request),
  };
}

/** Lists are passed on by reference, so that large ones can be sent as the received bytes. */
function nativeFields(request: ResponsesRequest): JsonObject {
  const fields: JsonObject = {};
  for (const name of Object.keys(request)) if (!isDeniedField(name)) fields[name] = request[name];
  const { input } = request;
  if (typeof input === 'string') return fields;
  const stored = input.some(isOwnItem) ? input.filter((item) => !isOwnItem(item)) : input;
  fields.input = stored.some(isAdditionalTools) ? stored.map(withoutSearchTools) : stored;
  return fields;
}

function pathsOfSearch({ tools }: ResponsesRequest): string[] {
  return (tools ?? []).flatMap(({ type }, index) => (isWebSearch(type) ? [`tools[${index}]`] : []));
}

function withoutSearch({ tools, tool_choice: choice }: ResponsesRequest): JsonObject {
  const isLeft = ({ type }: ReadonlyJsonObject | ResponsesTool) => !isWebSearch(type);
  const left = { tools: tools?.filter(isLeft) };
  if (!isObject(choice) || choice.type !== 'allowed_tools') return left;
  return { ...left, tool_choice: { ...choice, tools: objectsOf(choice.tools).filter(isLeft) } };
}

/** Whether the gateway wrote this reasoning for a translated target, so that no provider can read it. */
function isOwnItem(item: InputItem): boolean {
  return (
    isObject(item) && item.type === 'reasoning' && (isOwnReasoning(item.encrypted_content) || isOwnReasoningId(item.id))
  );
}

/**
 * The request for limits and prices: the inner form, with tools that only native targets know at their positions in the
 * client's list, and with items and parts that only native targets receive. The larger of this and the native form
 * counts. `searches`: the tools include web search.
 */
export function toChargedRequest(
  request: ResponsesRequest,
  chat: ChatCompletionRequest,
  { nativeParts }: Translation,
  native: NativeBody,
  searches: boolean,
): ChatCompletionRequest {
  const { input, tools } = request;
  const isSent = ({ type }: ResponsesTool) => searches || !isWebSearch(type);
  const isHosted = (tool: ResponsesTool) => !costsOnlyTokens(tool as ReadonlyJsonObject) && isSent(tool);
  const hasOthers = tools?.some((tool) => !isOwnTool(tool) && !isNamespaceTool(tool) && isSent(tool)) ?? false;
  const items = typeof input === 'string' ? [] : [...input.filter(isNativeOnly), ...nativeParts];
  const options = paidFields(native.fields as ReadonlyJsonObject, TRANSLATED_OPTIONS);
  if (items.length === 0 && !hasOthers) return withNativeForm({ ...options, ...chat }, native);
  const messages = [...chat.messages, ...items.map((item) => ({ role: 'user', content: [item] }))];
  // This form is only counted and never sent.
  const charged = tools?.map((tool) => (isHosted(tool) ? tool : { type: 'function', function: tool }));
  return withNativeForm(
    { ...options, ...chat, messages, ...(hasOthers && { tools: charged }) } as ChatCompletionRequest,
    native,
  );
}

/** Options that the inner form has. */
const TRANSLATED_OPTIONS = ['service_tier', 'tools'];

/** Includes reasoning that a provider encrypted, as native targets receive it in the prompt. */
function isNativeOnly(item: InputItem): boolean {
  const type = itemType(item);
  if (type === 'reasoning')
    return typeof item.encrypted_content === 'string' && !isOwnReasoning(item.encrypted_content);
  return !isTranslated(type);
}

/** Fields of a tool that name something in the provider's account: `file_ids`, `vector_store_ids`, `skill_id`… */
const STORED = /_ids?$/;
/** Fields of MCP servers, which a model must list, and schemas. */
const NOT_STORED: ReadonlySet<string> = new Set(['connector_id', 'tunnel_id', 'headers', 'parameters']);

/** The path of the first reference to files or stores in the provider's account, or null. */
function accountFileOf({ input, tools }: ResponsesRequest): string | null {
  if (typeof input !== 'string') {
    for (const [index, item] of input.entries()) {
      const path = fileOfItem(item);
      if (path !== null) return `input[${index}]${path}`;
    }
  }
  for (const [index, tool] of (tools ?? []).entries()) {
    if (isOwnTool(tool) || isNamespaceTool(tool)) continue;
    const path = storedIn(tool) ?? accountFileIn(tool);
    if (path !== null) return `tools[${index}]${path}`;
  }
  return null;
}

function fileOfItem(item: InputItem): string | null {
  switch (itemType(item)) {
    case 'message':
      return fileOfParts('.content', item.content);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return fileOfParts('.output', item.output);
    case 'function_call':
    case 'custom_tool_call':
    case 'reasoning':
      return null;
    default:
      return isHostedTrace(itemType(item)) ? null : accountFileIn(item);
  }
}

/** Text may mention any address, and citations name the files that the provider found. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'refusal']);

function fileOfParts(name: string, parts: unknown): string | null {
  if (!Array.isArray(parts)) return null;
  for (const [index, part] of parts.entries()) {
    if (!isObject(part) || TEXT_PARTS.has(part.type)) continue;
    const path = accountFileIn(part);
    if (path !== null) return `${name}[${index}]${path}`;
  }
  return null;
}

function storedIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const name in value) {
    if (NOT_STORED.has(name)) continue;
    const inner = value[name as keyof typeof value] as unknown;
    const isSet = Array.isArray(inner) ? inner.length > 0 : inner !== null && inner !== undefined;
    const within = STORED.test(name) && isSet ? '' : storedIn(inner);
    if (within !== null) return (Array.isArray(value) ? `[${name}]` : `.${name}`) + within;
  }
  return null;
}

const OWN_REASONING = 'rs_gw1_';

/** `msg_…`, `fc_…`, `ctc_…`, `ig_…`, unique across all answers. `call_…`: for tool calls without an id from the upstream. */
export function itemId(prefix: 'msg' | 'fc' | 'ctc' | 'ig' | 'call', callId: string, index: number): string {
  return `${prefix}_${endOfId(callId)}${index}`;
}

/** `rs_…` with a mark, as providers only know the ids that they created. */
export function reasoningId(callId: string, index: number): string {
  return `${OWN_REASONING}${endOfId(callId)}${index}`;
}

function isOwnReasoningId(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith(OWN_REASONING);
}
