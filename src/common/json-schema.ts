/** The keywords of JSON Schema (2020-12) that the API's documentation uses. */
export interface JsonSchema {
  $ref?: string;
  /** Schemas with a title appear once in the API's document, under that name. */
  title?: string;
  description?: string;
  deprecated?: boolean;
  type?: string | string[];
  enum?: (string | null)[];
  format?: 'date-time';
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  maxProperties?: number;
  anyOf?: JsonSchema[];
}

export function text(description?: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', ...described(description), ...more };
}

export function number(description?: string, minimum?: number, maximum?: number): JsonSchema {
  return { type: 'number', ...described(description), ...bounds('minimum', minimum, 'maximum', maximum) };
}

export function integer(description?: string, minimum?: number, maximum?: number): JsonSchema {
  return { type: 'integer', ...described(description), ...bounds('minimum', minimum, 'maximum', maximum) };
}

export function flag(description?: string): JsonSchema {
  return { type: 'boolean', ...described(description) };
}

export function oneOf(values: readonly string[], description?: string): JsonSchema {
  return { type: 'string', enum: [...values], ...described(description) };
}

export function list(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, ...described(description) };
}

/** Properties not in `required` are optional, and unlisted properties are allowed. */
export function object(
  properties: Record<string, JsonSchema>,
  required: readonly string[],
  description?: string,
): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...required] }),
    ...described(description),
  };
}

export function either(schemas: readonly JsonSchema[], description?: string): JsonSchema {
  return { ...(schemas.length === 1 ? schemas[0] : { anyOf: [...schemas] }), ...described(description) };
}

export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && schema.title === undefined) {
    const values = schema.enum ? { enum: [...schema.enum, null] } : {};
    return { ...schema, ...values, type: [schema.type, 'null'] };
  }
  return { anyOf: [schema, { type: 'null' }] };
}

export function bounds<Low extends string, High extends string>(
  low: Low,
  min = -Infinity,
  high: High,
  max = Infinity,
): Partial<Record<Low | High, number>> {
  return { ...(min > -Infinity && { [low]: min }), ...(max < Infinity && { [high]: max }) } as Partial<
    Record<Low | High, number>
  >;
}

function described(description: string | undefined): Pick<JsonSchema, 'description'> {
  return description ? { description } : {};
}
