import type { JsonObject } from '../../contract/json.js';
import { modelFamily } from './model-family.js';
import { novaSchema } from './nova-schema.js';

/** What a tool takes: the schema in the model's form, and words for what that does not have. */
interface InputSchema {
  readonly json: JsonObject;
  readonly words?: string;
}

/** `field` is the caller's, for the error about a schema that the model cannot be given. */
export function inputSchema(schema: JsonObject, upstreamModel: string, field: string): InputSchema {
  return modelFamily(upstreamModel) === 'amazon' ? novaSchema(schema, field) : { json: schema };
}

/** A tool as botocore's `ToolSpecification` has it, whose description is not empty. */
export function toolSpec(
  name: string,
  description: string | undefined,
  { json, words }: InputSchema,
): { toolSpec: JsonObject } {
  const told = [description?.trim() ? description : undefined, words].filter((text) => text !== undefined);
  return {
    toolSpec: { name, ...(told.length > 0 && { description: told.join('\n\n') }), inputSchema: { json } },
  };
}
