import type { JsonObject } from '../contract/json.js';

/** Asks for JSON in words, of an API that has no JSON mode without a schema; its models keep to this. */
export const JSON_INSTRUCTION =
  'Answer with exactly one JSON object: no other text before or after it, and no code fence around it.';

/** Asks for JSON of a schema in words, of a model that cannot be held to the schema. */
export function schemaInstruction(schema: JsonObject): string {
  return `${JSON_INSTRUCTION} It must be valid by this JSON Schema: ${JSON.stringify(schema)}`;
}
