import { isObject, type JsonObject } from '../../contract/json.js';
import { unsupported } from '../shared/unsupported.js';
import type { Dialect } from './dialect.js';
import { fieldPicker } from './field-rule.js';

const withFormatFields = fieldPicker({ only: ['type', 'json_schema'] });
const withSchemaFields = fieldPicker({ only: ['name', 'description', 'schema', 'strict'] });

export function formatAdapter(dialect: Dialect): (body: JsonObject) => void {
  const strict = 'only' in dialect.fields;
  const { schemaMayLack = false, capabilities } = dialect;

  return (body) => {
    const { response_format: format } = body;
    if (!isObject(format)) return;
    const { json_schema: described } = format;
    if (format.type === 'json_schema' && isObject(described)) {
      if (described.schema == null && !schemaMayLack) body.response_format = jsonMode(capabilities);
      else if (strict) body.response_format = { type: 'json_schema', json_schema: withSchemaFields(described) };
    } else if (strict) body.response_format = withFormatFields(format);
  };
}

/** For APIs that require a schema in each `json_schema` format. */
function jsonMode({ json_object: hasJsonMode }: Dialect['capabilities']): JsonObject {
  if (hasJsonMode !== false) return { type: 'json_object' };
  const message = "This model returns JSON only with a schema. Send one as 'schema'.";
  throw unsupported('response_format.json_schema.schema', message);
}
