import type { JsonObject } from '../../contract/json.js';
import { modelFamily } from './model-family.js';
import { novaSchema } from './nova-schema.js';

/** The schema in the model's form, and a note about keywords that it does not support. */
interface InputSchema {
  readonly json: JsonObject;
  readonly note?: string;
}

/** `field`: the name in errors about an unsupported schema. */
export function inputSchema(schema: JsonObject, upstreamModel: string, field: string): InputSchema {
  return modelFamily(upstreamModel) === 'amazon' ? novaSchema(schema, field) : { json: schema };
}

/** `ToolSpecification` in botocore requires a non-empty description. */
export function toolSpec(
  name: string,
  description: string | undefined,
  { json, note }: InputSchema,
): { toolSpec: JsonObject } {
  const told = [description?.trim() ? description : undefined, note].filter((text) => text !== undefined);
  return {
    toolSpec: { name, ...(told.length > 0 && { description: told.join('\n\n') }), inputSchema: { json } },
  };
}
