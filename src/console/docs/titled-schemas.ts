import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../common/json-schema.js';
import { schemaRef } from './document.types.js';

/**
 * Collects a schema and its nested schemas that have a title, by title, and replaces nested ones with references.
 * Throws if two different schemas have the same title.
 */
export function titledSchemas(schema: JsonSchema): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const visit = ({ title, ...schema }: JsonSchema): JsonSchema => {
    const inner = withParts(schema, visit);
    if (title === undefined) return inner;
    if (title in found && !isDeepStrictEqual(found[title], inner))
      throw new Error(`two different schemas have the title ${title}`);
    found[title] = inner;
    return schemaRef(title);
  };
  visit(schema);
  return found;
}

function withParts(schema: JsonSchema, visit: (part: JsonSchema) => JsonSchema): JsonSchema {
  const { items, properties, additionalProperties, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: visit(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, visit(part)])),
    }),
    ...(additionalProperties && { additionalProperties: visit(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(visit) }),
  };
}
