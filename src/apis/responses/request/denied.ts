import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import { isJsonObject, type JsonObject } from '../../../completions/dto/structure-checks.js';
import { objectsOf } from '../../../upstreams/contract/json.js';
import { hostedToolInInput } from './offered-tools.js';

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
  const hosted = hostedToolInInput(body.input);
  if (hosted !== null) throw denied(hosted, "the provider's tools can only be offered in 'tools'");
  if (Array.isArray(body.tools)) refuseContainers(body.tools);
}

/** `{"type": "item_reference", "id": …}`; the type may be missing. */
function refuseReferences(input: readonly unknown[]): void {
  const index = input.findIndex((item) => isJsonObject(item) && isReference(item));
  if (index >= 0) throw denied(`input[${index}]`, STORED_ITEM);
}

function isReference({ type, role, id }: JsonObject): boolean {
  return type === 'item_reference' || (type == null && role === undefined && typeof id === 'string');
}

/** References to existing containers in the provider's account, as any caller could open them. */
function refuseContainers(tools: readonly unknown[]): void {
  for (const [index, tool] of tools.entries()) {
    if (!isJsonObject(tool)) continue;
    const path = containerPath(tool);
    if (path !== null)
      throw denied(`tools[${index}].${path}`, "containers in the provider's account are not available");
  }
}

function containerPath({ container, environment }: JsonObject): string | null {
  if (typeof container === 'string') return 'container';
  return objectsOf([environment]).some(({ container_id }) => container_id != null) ? 'environment.container_id' : null;
}

function denied(path: string, reason: string): GatewayError {
  return invalidRequest('unsupported_parameter', path, `'${path}' is not supported: ${reason}.`);
}
