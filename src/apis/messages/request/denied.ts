import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import { isDeniedField } from '../../../completions/dto/denied-fields.js';
import { isObject, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';

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
