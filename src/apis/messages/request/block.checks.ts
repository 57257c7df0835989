import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import { type Check, flag, oneOf, text } from '../../../completions/formats/checks.js';
import { isDeniedField } from '../../../completions/formats/denied-fields.js';
import { base64Data, webAddress } from '../../../completions/formats/message.checks.js';
import {
  anyObject,
  list,
  nullable,
  required,
  shape,
  tagged,
  textOr,
} from '../../../completions/formats/structure.checks.js';
import { isObject, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';

/** Marks the end of a prefix that the provider caches. */
export const cacheControl = nullable(shape({ type: required(oneOf('ephemeral')), ttl: nullable(oneOf('5m', '1h')) }));

const id = required(text({ min: 1 }));

const address = shape({ url: required(webAddress) });
const accountFile = shape({ file_id: id });

const imageSource = tagged(
  'type',
  {
    base64: shape({
      media_type: required(oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/jpg')),
      data: required(base64Data),
    }),
    url: address,
    file: accountFile,
  },
  'an object with the image',
  isUnknownSource,
);

const textBlock = shape({ text: required(text()), cache_control: cacheControl });
const imageBlock = shape({ source: required(imageSource), cache_control: cacheControl });

const documentSource = tagged(
  'type',
  {
    base64: shape({ media_type: required(oneOf('application/pdf')), data: required(base64Data) }),
    text: shape({ media_type: required(oneOf('text/plain')), data: required(text()) }),
    content: shape({ content: required(content({ text: textBlock, image: imageBlock })) }),
    url: address,
    file: accountFile,
  },
  'an object with the document',
  isUnknownSource,
);

const documentBlock = shape({
  source: required(documentSource),
  title: nullable(text()),
  context: nullable(text()),
  citations: nullable(shape({ enabled: nullable(flag) })),
  cache_control: cacheControl,
});

const searchResultBlock = shape({
  source: required(text()),
  title: required(text()),
  content: required(list(tagged('type', { text: textBlock }, 'a text block', isUnknown), 'a list of text blocks')),
  cache_control: cacheControl,
});

const toolUseBlock = shape({ id, name: id, input: required(anyObject), cache_control: cacheControl });

const toolResultBlock = shape({
  tool_use_id: id,
  content: nullable(
    content({ text: textBlock, image: imageBlock, document: documentBlock, search_result: searchResultBlock }),
  ),
  is_error: nullable(flag),
  cache_control: cacheControl,
});

const thinkingBlock = shape({ thinking: required(text()), signature: nullable(text()) });
const redactedThinkingBlock = shape({ data: required(text()) });

/** Blocks of user messages. */
const USER_BLOCKS: Readonly<Record<string, Check>> = {
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  tool_result: toolResultBlock,
};

const ASSISTANT_BLOCKS: Readonly<Record<string, Check>> = {
  text: textBlock,
  tool_use: toolUseBlock,
  thinking: thinkingBlock,
  redacted_thinking: redactedThinkingBlock,
  // Up to the version 2023-06-01.
  document: documentBlock,
};

const KNOWN: ReadonlySet<string> = new Set([...Object.keys(USER_BLOCKS), ...Object.keys(ASSISTANT_BLOCKS)]);

export const systemContent = content({ text: textBlock });

const message = tagged(
  'role',
  {
    user: shape({ content: required(content(USER_BLOCKS)) }),
    assistant: shape({ content: required(content(ASSISTANT_BLOCKS)) }),
    system: shape({ content: nullable(systemContent) }),
  },
  'a message',
);

export const messages = list(message, 'a non-empty list of messages', 1);

/** Blocks and sources of unknown types are valid, as native targets may know them. */
function isUnknown(type: string): boolean {
  return !KNOWN.has(type);
}

function isUnknownSource(type: string): boolean {
  return !['base64', 'content', 'file', 'text', 'url'].includes(type);
}

function content(blocks: Readonly<Record<string, Check>>): Check {
  return textOr(list(tagged('type', blocks, 'a content block', isUnknown), 'a list of content blocks'));
}

/** Fields that would use the company's account at the provider, or need something stored; with the reason. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['container', 'The gateway does not reuse containers.'],
  ['mcp_servers', 'The gateway does not let providers connect to MCP servers. Connect to them from the client.'],
  ['background', 'The gateway cannot answer in the background.'],
  ['conversation', 'The gateway stores no conversations. Send all messages.'],
  ['previous_response_id', 'The gateway stores no answers. Send all messages.'],
  ['prompt', 'The gateway stores no prompts. Send the text.'],
]);

/** Fields that choose an account, a bill or another model at the provider. */
const REMOVED: ReadonlySet<string> = new Set([
  'billing_policy',
  'fallback_credit_token',
  'user_profile_id',
  'workspace_id',
]);

/** Throws a 400 for fields that no target may receive. */
export function refuseDenied(body: ReadonlyJsonObject): void {
  refuseThread(body.thread);
  for (const [field, reason] of REFUSED) {
    if (isSet(body[field])) throw refusal(field, reason);
  }
  const tools: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const position = tools.findIndex((tool) => isObject(tool) && tool.type === 'mcp_toolset');
  if (position >= 0) throw refusal(`tools[${position}].type`, REFUSED.get('mcp_servers') ?? '');
}

/** Whether a field is left out of the upstream's request without an error. */
export function isRemovedField(name: string): boolean {
  return REFUSED.has(name) || REMOVED.has(name) || name === 'thread' || isDeniedField(name);
}

/** Anthropic's tool runners start with a thread, and continue without one if the error has these details. */
function refuseThread(thread: unknown): void {
  if (thread == null) return;
  const message = "'thread' is not supported: the gateway stores no conversations. Send all messages.";
  const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };
  throw Object.assign(invalidRequest('unsupported_parameter', 'thread', message), { details });
}

function refusal(field: string, reason: string): GatewayError {
  return invalidRequest('unsupported_parameter', field, `'${field}' is not supported. ${reason}`);
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
