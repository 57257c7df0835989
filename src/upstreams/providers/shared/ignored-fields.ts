import type { ReadonlyJsonObject } from '../../contract/json.js';
import { COMMON_FIELDS } from './request-fields.js';

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

/** Returns the test for an API with its own format, from its additional fields and service tiers. */
export function forwardingTest(own: readonly string[], tiers: readonly unknown[] = []): FieldTest {
  const forwarded = new Set<string>([
    ...COMMON_FIELDS,
    'max_tokens',
    'max_completion_tokens',
    'parallel_tool_calls',
    ...own,
  ]);
  return (field, value) => forwarded.has(field) || (field === 'service_tier' && tiers.includes(value));
}

/** Whether a top-level field is sent upstream in some form. */
type FieldTest = (field: string, value: unknown) => boolean;

/** Fields that request something and are not sent upstream. */
export function ignoredFields(request: ReadonlyJsonObject, isForwarded: FieldTest): string[] {
  const ignored = Object.keys(request).filter((field) => {
    const value = request[field];
    return !isForwarded(field, value) && !GATEWAYS_OWN.has(field) && hasEffect(field, value) && PRINTABLE.test(field);
  });
  return ignored.slice(0, MAX_NAMED);
}

function hasEffect(field: string, value: unknown): boolean {
  if (!value || DEFAULTS.get(field)?.includes(value)) return false;
  if (typeof value !== 'object') return true;
  if (field === 'modalities') return String(value) !== 'text';
  return Object.keys(value).length > 0;
}
