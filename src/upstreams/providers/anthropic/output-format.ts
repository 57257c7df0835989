import type { ResponseFormat } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { claudeSchema } from '../claude-schema.js';

/** The `output_config.format` of a response format; `instruction` where only words can ask for JSON. */
export function outputFormat(format: ResponseFormat | undefined): JsonObject | 'instruction' | undefined {
  if (format?.type === 'json_object') return 'instruction';
  if (format?.type !== 'json_schema') return undefined;
  const { schema } = format.json_schema;
  return schema ? { type: 'json_schema', schema: claudeSchema(schema) } : 'instruction';
}
