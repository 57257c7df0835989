import type { ResponseFormat } from '../../../upstreams/contract/chat.types.js';
import { isObject, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import type { MessagesRequest } from '../request/messages.types.js';

export function toResponseFormat(request: MessagesRequest): ResponseFormat | undefined {
  const format = request.output_config?.format ?? request.output_format;
  if (!format) return undefined;
  const { schema } = format;
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: canBeStrict(schema) } };
}

/**
 * Whether OpenAI's strict mode accepts a schema. From its errors: "'required' is required to be supplied and to be an
 * array including every key in properties", "'additionalProperties' is required to be supplied and to be false".
 */
export function canBeStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  return !(isObject(schema) && isOpenObject(schema)) && Object.values(schema).every(canBeStrict);
}

function isOpenObject({ type, properties, required, additionalProperties }: ReadonlyJsonObject): boolean {
  if (type !== 'object' || (properties !== undefined && !isObject(properties))) return false;
  const needed = Array.isArray(required) ? required : [];
  return additionalProperties !== false || Object.keys(properties ?? {}).some((name) => !needed.includes(name));
}
