import type { Request } from 'express';
import { invalidRequest } from '../../common/gateway.error.js';
import { accountFileIn } from '../../completions/formats/provider-files.js';
import { paidFields } from '../../limits/paid-options.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject } from '../../upstreams/contract/json.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import { withNativeForm } from '../../upstreams/tokens/native-walk.js';
import { isOwnReasoning } from '../shared/carried-reasoning.js';
import { isRemovedField } from './request/block.checks.js';
import type { ContentBlock, MessageParam, MessagesRequest, ToolParam } from './request/messages.types.js';
import { isClientTool, isOwnTool, toolFamily } from './request/tool.checks.js';
import { isHostedTrace } from './translation/content-parts.js';

const VERSION = 'anthropic-version';
const BETAS = 'anthropic-beta';
/** Safe as the value of a request header. */
const HEADER = /^[\x20-\x7e]{1,4096}$/;

/** The client's request, unchanged except for denied fields and reasoning that only other providers read. */
export function toNativeBody(request: MessagesRequest, headers: NativeBody['headers']): NativeBody {
  const fields: JsonObject = {};
  for (const name of Object.keys(request)) if (!isRemovedField(name)) fields[name] = request[name];
  fields.messages = withoutOwnThinking(request.messages);
  return { api: 'messages', fields, headers };
}

/** Throws a 400 without `anthropic-version`. */
export function nativeHeaders({ headers }: Pick<Request, 'headers'>): NativeBody['headers'] {
  const version = headers[VERSION];
  if (version === undefined) {
    const message = "Missing required header 'anthropic-version'. Please send 'anthropic-version: 2026-10-21'.";
    throw invalidRequest('missing_required_parameter', VERSION, message);
  }
  const betas = headers[BETAS];
  return { [VERSION]: value(VERSION, version), ...(betas !== undefined && { [BETAS]: value(BETAS, betas) }) };
}

function value(name: string, sent: string | string[]): string {
  const text = Array.isArray(sent) ? sent.join(',') : sent;
  if (HEADER.test(text)) return text;
  throw invalidRequest('invalid_value', name, `Invalid value for the header '${name}': expected ASCII text.`);
}

/**
 * The request for limits and prices, counted in the form that is larger. Includes tools that only a native target knows,
 * those that the provider runs under the names of price lists, and fields that raise a price.
 */
export function toChargedRequest(
  chat: ChatCompletionRequest,
  { tools, speed, inference_geo: geo }: MessagesRequest,
  native: NativeBody,
): ChatCompletionRequest {
  const hasOthers = tools?.some((tool) => !isOwnTool(tool)) ?? false;
  const charged = {
    ...paidFields(native.fields, TRANSLATED_OPTIONS),
    ...chat,
    // Instead of the tier that it becomes in the inner form.
    ...(speed != null && { speed, service_tier: undefined }),
    ...(geo != null && { inference_geo: geo }),
    ...(hasOthers && { tools: allTools(chat, tools ?? []) }),
  } as ChatCompletionRequest;
  return withNativeForm(charged, native);
}

/** Options that the inner form has where they have an effect. */
const TRANSLATED_OPTIONS = ['service_tier', 'tools', 'speed', 'inference_geo'];

/** In the client's order, as errors name a tool by its position. */
function allTools({ tools: functions = [] }: ChatCompletionRequest, tools: readonly ToolParam[]): readonly object[] {
  const left = [...functions];
  return tools.map((tool) => {
    if (isOwnTool(tool)) return left.shift() ?? tool;
    return isClientTool(tool) ? { type: 'function', function: tool } : { ...tool, type: toolFamily(tool.type ?? '') };
  });
}

/** Text and calls; they may mention any address without being references. */
const WITHOUT_FILES: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'search_result',
]);

/** The path of the first reference to a file in the provider's account, or null. */
export function accountFileOf({ messages }: MessagesRequest): string | null {
  for (const [index, { content }] of messages.entries()) {
    const path = Array.isArray(content) ? fileIn(content, `messages[${index}].content`) : null;
    if (path !== null) return path;
  }
  return null;
}

function fileIn(blocks: readonly ContentBlock[], path: string): string | null {
  for (const [index, block] of blocks.entries()) {
    const { type } = block;
    if (WITHOUT_FILES.has(type)) continue;
    const at = `${path}[${index}]`;
    if (isHostedTrace(block)) {
      const within = sourceFileIn('content' in block ? block.content : undefined);
      if (within !== null) return `${at}.content${within}`;
    } else if (type === 'tool_result') {
      const within = Array.isArray(block.content) ? fileIn(block.content, `${at}.content`) : null;
      if (within !== null) return within;
    } else {
      const within = accountFileIn('source' in block ? block.source : block);
      if (within !== null) return `${at}${'source' in block ? '.source' : ''}${within}`;
    }
  }
  return null;
}

/** What a tool of the provider returned may name files, but only the `source` of a document or an image is read. */
function sourceFileIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const name in value) {
    const inner = value[name as keyof typeof value] as unknown;
    const within = name === 'source' && isObject(inner) ? accountFileIn(inner) : sourceFileIn(inner);
    if (within !== null) return (Array.isArray(value) ? `[${name}]` : `.${name}`) + within;
  }
  return null;
}

/**
 * Leaves out thinking that the gateway created from another provider's reasoning, and messages that hold nothing else.
 * Unchanged messages and an unchanged list remain the same objects, so that they are sent as the received bytes.
 */
function withoutOwnThinking(messages: readonly MessageParam[]): readonly MessageParam[] {
  if (!messages.some(hasOwnThinking)) return messages;
  return messages.flatMap((message) => {
    if (!hasOwnThinking(message)) return [message];
    const content = message.content.filter((block) => !isOwnThinking(block));
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

function hasOwnThinking(message: MessageParam): message is MessageParam & { content: readonly ContentBlock[] } {
  return message.role === 'assistant' && Array.isArray(message.content) && message.content.some(isOwnThinking);
}

function isOwnThinking(block: ContentBlock): boolean {
  if (block.type === 'thinking') return isOwnReasoning(block.signature);
  return block.type === 'redacted_thinking' && isOwnReasoning(block.data);
}
