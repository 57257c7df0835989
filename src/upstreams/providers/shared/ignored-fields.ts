import type { ReadonlyJsonObject } from '../../contract/json.js';

/** Fields handled by the gateway itself. */
const GATEWAYS_OWN = new Set(['model', 'messages', 'stream', 'stream_options']);
/** Values that request the default behavior, in addition to null, false, 0 and empty values. */
const DEFAULTS: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['n', [1]],
  ['parallel_tool_calls', [true]],
  ['service_tier', ['auto', 'default']],
  ['verbosity', ['medium']],
]);
const MAX_NAMED = 20;
/** Safe in a response header. */
const PRINTABLE = /^[\w.-]{1,64}$/;

/** Fields that all adapters support. */
const FORWARDED_BY_ALL = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'frequency_penalty',
  'presence_penalty',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
];

/** Returns the test for an API with its own format, from its additional fields and service tiers. */
export function forwardingTest(own: readonly string[], tiers: readonly unknown[] = []): FieldTest {
  const forwarded = new Set([...FORWARDED_BY_ALL, ...own]);
  return (field, value) => forwarded.has(field) || (field === 'service_tier' && tiers.includes(value));
}

/** Whether a top-level field is sent upstream in some form. */
type FieldTest = (field: string, value: unknown) => boolean;

/** Fields that request something and are not sent upstream. */
export function ignoredFields(request: ReadonlyJsonObject, isForwarded: FieldTest): string[] {
  const ignored: string[] = [];
  for (const field of Object.keys(request)) {
    if (
      isForwarded(field, request[field]) ||
      GATEWAYS_OWN.has(field) ||
      !hasEffect(field, request[field]) ||
      !PRINTABLE.test(field)
    )
      continue;
    ignored.push(field);
    if (ignored.length === MAX_NAMED) break;
  }
  return ignored;
}

function hasEffect(field: string, value: unknown): boolean {
  if (!value || DEFAULTS.get(field)?.includes(value)) return false;
  if (typeof value !== 'object') return true;
  if (field === 'modalities') return String(value) !== 'text';
  return Object.keys(value).length > 0;
}
