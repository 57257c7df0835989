import type { ResponseFormat } from '../../chat.types.js';
import { isObject, type JsonObject } from '../json.js';

/** The API has no JSON mode without a schema; its models keep to this. */
export const JSON_INSTRUCTION =
  'Answer with exactly one JSON object: no other text before or after it, and no code fence around it.';

/** The `output_config.format` of a response format; `instruction` where only words can ask for JSON. */
export function outputFormat(format: ResponseFormat | undefined): JsonObject | 'instruction' | undefined {
  if (format?.type === 'json_object') return 'instruction';
  if (format?.type !== 'json_schema') return undefined;
  const { schema } = format.json_schema;
  return schema ? { type: 'json_schema', schema: closed(schema) } : 'instruction';
}

/**
 * A schema whose objects say that they take no further properties, which the API demands and callers leave out: what
 * fits it fits the caller's schema too.
 */
function closed(schema: JsonObject): JsonObject {
  const copy = mapped(schema, (keyword, value) => {
    if (NAMED_SCHEMAS.has(keyword) && isObject(value)) return mapped(value, (_name, inner) => closedIfSchema(inner));
    if (SCHEMA_LISTS.has(keyword) && Array.isArray(value)) return value.map(closedIfSchema);
    return keyword === 'items' ? closedIfSchema(value) : value;
  });
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const isOfObjects = types.includes('object') || isObject(schema.properties);
  if (isOfObjects && schema.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}

const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions']);
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);

/** With other values under the same keys, `__proto__` included. */
function mapped(object: JsonObject, change: (key: string, value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));
}

function closedIfSchema(value: unknown): unknown {
  return isObject(value) ? closed(value) : value;
}
