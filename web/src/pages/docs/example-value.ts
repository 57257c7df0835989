import type { Json } from '../../snippets/literal';
import type { ApiDocument, Content, Schema } from './document';
import { shapeOf } from './shape';

type Schemas = ApiDocument['components']['schemas'];

/** Deeper objects of an example stay empty. */
const DEEPEST = 4;

/** A body that is accepted: the document's own example, or one with the required fields. */
export function exampleBody({ schema, example, examples }: Content, schemas: Schemas): Json {
  const given = example ?? Object.values(examples ?? {})[0]?.value;
  return given ?? (schema ? exampleOf(schema, schemas) : {});
}

/** A value of a schema. */
export function exampleOf(given: Schema, schemas: Schemas, depth = 0): Json {
  const { schema, fields, variants } = shapeOf(given, schemas);
  const told = schema.example ?? schema.default ?? schema.enum?.find((value) => value !== null);
  if (told !== undefined) return told;
  const [variant] = variants;
  const type = [schema.type ?? []].flat().find((one) => one !== 'null');
  if (type === 'array') return schema.items && depth < DEEPEST ? [exampleOf(schema.items, schemas, depth + 1)] : [];
  if (variant) return exampleOf(variant.schema, schemas, depth + 1);
  if (fields.length > 0) return depth < DEEPEST ? objectOf(fields, schemas, depth) : {};
  return plainValue(type ?? (schema.anyOf ? 'string' : 'object'), schema);
}

/** The required fields; of an object whose fields are all optional, those with an example, or else the first. */
function objectOf(fields: ReturnType<typeof shapeOf>['fields'], schemas: Schemas, depth: number): Json {
  const required = fields.filter(({ isRequired }) => isRequired);
  const told = fields.filter(({ schema }) => schema.example !== undefined);
  const shown = required.length > 0 ? required : told.length > 0 || depth > 0 ? told : fields.slice(0, 1);
  return Object.fromEntries(shown.map(({ name, schema }) => [name, exampleOf(schema, schemas, depth + 1)]));
}

function plainValue(type: string, { format, minimum }: Schema): Json {
  if (type === 'string') return textOf(format);
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 1, 1);
  return type === 'boolean' ? true : {};
}

function textOf(format: string | undefined): string {
  if (format === 'date-time') return new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000).toISOString();
  return format === 'uuid' ? '00000000-0000-0000-0000-000000000000' : '…';
}
