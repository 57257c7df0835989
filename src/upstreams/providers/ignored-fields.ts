import type { ChatCompletionRequest } from '../contract/chat.types.js';

/** Fields that say how the answer is to come, which is the gateway's affair. */
const GATEWAYS_OWN = new Set(['model', 'messages', 'stream', 'stream_options']);
/** Values that ask for what would happen without them, beside null, false, 0 and what is empty. */
const DEFAULTS: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['n', [1]],
  ['parallel_tool_calls', [true]],
  ['service_tier', ['auto', 'default']],
  ['verbosity', ['medium']],
]);
const MOST_NAMED = 20;
/** What may stand in a header. */
const PRINTABLE = /^[\w.-]{1,64}$/;

/** The fields of a request by which the caller asks for something, and which are not taken upstream. */
export function ignoredFields(request: ChatCompletionRequest, isTaken: (field: string) => boolean): string[] {
  const ignored: string[] = [];
  for (const field of Object.keys(request)) {
    if (isTaken(field) || GATEWAYS_OWN.has(field) || !asks(field, request[field]) || !PRINTABLE.test(field)) continue;
    ignored.push(field);
    if (ignored.length === MOST_NAMED) break;
  }
  return ignored;
}

function asks(field: string, value: unknown): boolean {
  if (!value || DEFAULTS.get(field)?.includes(value)) return false;
  if (typeof value !== 'object') return true;
  if (field === 'modalities') return String(value) !== 'text';
  return Object.keys(value).length > 0;
}
