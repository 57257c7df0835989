import { isObject, type JsonObject } from '../../contract/json.js';

/**
 * A JSON schema for Claude's structured outputs and strict tools, on Anthropic's API and on Bedrock, with the rules of
 * `transformJSONSchema` in Anthropic's TypeScript SDK. Objects are closed ("For 'object' type, 'additionalProperties'
 * must be explicitly set to false"), and unsupported keywords move into the description, without the escapes of JSON,
 * which would make them up to six times as long. The answer matches the caller's schema if the model follows the
 * descriptions.
 */
export function claudeSchema(schema: JsonObject): JsonObject {
  if ('nullable' in schema) return withNull(schema);
  const result: JsonObject = {};
  const unsupported: string[] = [];
  const types = typesOf(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    const supported = SUPPORTED.get(keyword);
    if (IGNORED.has(keyword) || (keyword === 'additionalProperties' && !isObject(value))) continue;
    if (supported?.(value, types)) result[keyword] = value;
    else if (NAMED_SCHEMAS.has(keyword) && isObject(value)) result[keyword] = each(value);
    else if (SCHEMA_LISTS.has(keyword) && Array.isArray(value)) {
      result[keyword === 'oneOf' ? 'anyOf' : keyword] = value.map(ifSchema);
    } else if (keyword === 'items' && isObject(value)) result.items = claudeSchema(value);
    else unsupported.push(`${keyword}: ${plainJson(value)}`);
  }
  // Next to a reference the API allows only definitions, at the root.
  if (result.$ref !== undefined) return { $ref: result.$ref, ...definitionsOf(result) };
  if (types.includes('object')) {
    if (result.type === undefined) result.type = 'object';
    result.additionalProperties = false;
  }
  if (unsupported.length > 0) result.description = described(schema.description, unsupported);
  return result;
}

/**
 * Whether objects have properties without fixed names, or are described by several schemas at once. Structured outputs
 * support neither: closed objects would be empty in the first case, and schemas would exclude each other in the second.
 * An outermost object without properties is also open.
 */
export function hasOpenObjects(schema: JsonObject): boolean {
  const { additionalProperties: further, properties, allOf, items } = schema;
  if (further !== undefined && further !== false) return true;
  const types = typesOf(schema);
  if (types.includes('object') && !isObject(properties) && further === undefined) return true;
  if (Array.isArray(allOf) && allOf.length + (isObject(properties) ? 1 : 0) > 1) return true;
  const named = [...NAMED_SCHEMAS].flatMap((keyword) => valuesOf(schema[keyword]));
  const listed = [...SCHEMA_LISTS].flatMap((keyword) => valuesOf(schema[keyword]));
  return [...named, ...listed, items].some((inner) => isObject(inner) && hasOpenObjects(inner));
}

function valuesOf(schemas: unknown): unknown[] {
  return typeof schemas === 'object' && schemas !== null ? Object.values(schemas) : [];
}

/** OpenAPI's `nullable` becomes one of several schemas. */
function withNull({ nullable, ...schema }: JsonObject): JsonObject {
  const result = claudeSchema(schema);
  if (nullable !== true || [result.type].flat().includes('null')) return result;
  if (Array.isArray(result.type)) return { ...result, type: [...result.type, 'null'], ...enumWithNull(result) };
  const alone = Object.keys(result).every((keyword) => keyword === 'anyOf' || keyword === 'description');
  if (Array.isArray(result.anyOf) && alone) return { ...result, anyOf: [...result.anyOf, { type: 'null' }] };
  const { $defs, definitions, ...one } = result;
  return { anyOf: [one, { type: 'null' }], ...definitionsOf({ $defs, definitions }) };
}

type Test = (value: unknown, types: readonly unknown[]) => boolean;

const always: Test = () => true;
const FORMATS: ReadonlySet<unknown> = new Set(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
);

/** Supported keywords, with a test for supported values. */
const SUPPORTED: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['type', always],
  ['title', always],
  ['description', always],
  ['required', always],
  ['$ref', always],
  ['const', isPrimitive],
  ['enum', (value) => Array.isArray(value) && value.every(isPrimitive)],
  ['format', (value, types) => types.includes('string') && FORMATS.has(value)],
  ['minItems', (value) => value === 0 || value === 1],
]);

/** Keywords without meaning for the model. */
const IGNORED = new Set(['$schema', '$id', '$comment']);
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions']);
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf']);

function typesOf({ type, properties }: JsonObject): unknown[] {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return type === undefined && isObject(properties) ? ['object'] : types;
}

function enumWithNull({ enum: values }: JsonObject): JsonObject {
  return Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
}

function isPrimitive(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function each(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ifSchema(schema)]));
}

function ifSchema(value: unknown): unknown {
  return isObject(value) ? claudeSchema(value) : value;
}

function definitionsOf({ $defs, definitions }: JsonObject): JsonObject {
  return { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** JSON whose texts stand as they are. */
function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u([\da-f]{4})|(.))/g, (_, code: string | undefined, character: string) =>
    code === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function described(description: unknown, unsupported: readonly string[]): string {
  const note = `{${unsupported.join(', ')}}`;
  return typeof description === 'string' && description !== '' ? `${description}\n\n${note}` : note;
}
