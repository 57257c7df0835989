import type { Json } from '../../snippets/snippet-api';
import type { ApiDocument, Content, Schema } from './document';

/** What values of a schema have to keep to, besides its type: `1 to 256 characters`, `default: 50`. */
export function limitsOf(schema: Schema): string[] {
  return [
    range(schema.minLength, schema.maxLength, 'character', 'characters'),
    range(schema.minItems, schema.maxItems, 'item', 'items'),
    numbers(schema.minimum, schema.maximum),
    schema.pattern && `matches ${schema.pattern}`,
    schema.default !== undefined && `default: ${asText(schema.default)}`,
  ].filter((limit) => typeof limit === 'string' && limit !== '') as string[];
}

/** The values of an enumeration, as a program writes them. */
export function valuesOf({ enum: values = [] }: Schema): string[] {
  return values.filter((value) => value !== null).map(asText);
}

function range(least: number | undefined, most: number | undefined, one: string, many: string): string {
  if (least === undefined && most === undefined) return '';
  const unit = (most ?? least) === 1 ? one : many;
  if (most === undefined) return least === 0 ? '' : `at least ${least} ${unit}`;
  return least ? (least === most ? `${most} ${unit}` : `${least} to ${most} ${unit}`) : `at most ${most} ${unit}`;
}

function numbers(least: number | undefined, most: number | undefined): string {
  const low = least === undefined || least <= -Number.MAX_SAFE_INTEGER ? undefined : least;
  const high = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most;
  if (low === undefined) return high === undefined ? '' : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
}

function asText(value: unknown): string {
  return JSON.stringify(value);
}

type Schemas = ApiDocument['components']['schemas'];

/** A schema without references, unions in unions, and null: what a reader has to know of one place. */
export interface Shape {
  /** `string`, `array of ChatMessage`, `string or array of strings` */
  readonly type: string;
  readonly isNullable: boolean;
  readonly schema: Schema;
  /** Its own fields, or those of its items. */
  readonly fields: readonly Field[];
  /** The forms with fields that it can have. */
  readonly variants: readonly Variant[];
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

export interface Variant {
  readonly label: string;
  readonly schema: Schema;
}

export function shapeOf(given: Schema, schemas: Schemas): Shape {
  const { schema, name } = resolved(given, schemas);
  const { forms, isNullable } = formsOf(schema, schemas);
  const named = forms.map((form) => ({ label: labelOf(form, schemas), schema: form }));
  const [only] = forms;
  if (forms.length === 1 && only) return ofOne(only, { schema, name, isNullable }, schemas);
  const type = [...new Set(named.map(({ label }) => label))].join(' or ');
  return {
    type: name ?? type,
    isNullable,
    schema,
    fields: [],
    variants: named.filter((form) => canOpen(form.schema, schemas)),
  };
}

interface Whole {
  schema: Schema;
  name: string | undefined;
  isNullable: boolean;
}

function ofOne(form: Schema, { schema, name, isNullable }: Whole, schemas: Schemas): Shape {
  const { schema: own, name: ownName } = resolved(form, schemas);
  const described = { ...own, ...schema, ...typeOf(own) };
  const type = name ?? ownName ?? typeText(own, schemas);
  if (own.items) {
    const items = shapeOf(own.items, schemas);
    return { type, isNullable, schema: described, fields: items.fields, variants: items.variants };
  }
  const values = own.additionalProperties;
  if (typeof values === 'object' && !own.properties) {
    const inner = shapeOf(values, schemas);
    return { type, isNullable, schema: described, fields: inner.fields, variants: inner.variants };
  }
  return { type, isNullable, schema: described, fields: fieldsOf(own), variants: [] };
}

function typeOf({ enum: values, type }: Schema): Partial<Schema> {
  return { ...(values && { enum: values }), ...(type && { type }) };
}

function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

/** Follows references, also those in an `allOf` of one; descriptions of the place come before those of its schema. */
export function resolved(
  schema: Schema,
  schemas: Schemas,
  name?: string,
): { schema: Schema; name: string | undefined } {
  const { $ref, allOf, ...own } = schema;
  if ($ref) {
    const target = $ref.replace('#/components/schemas/', '');
    return resolved({ ...schemas[target], ...own }, schemas, target);
  }
  if (!allOf) return { schema: own, name };
  const parts = allOf.map((part) => resolved(part, schemas));
  const merged = parts.reduce<Schema>((whole, part) => mergeOf(whole, part.schema), {});
  return { schema: { ...merged, ...own }, name: parts.length === 1 ? parts[0]?.name : name };
}

function mergeOf(one: Schema, other: Schema): Schema {
  const properties = { ...one.properties, ...other.properties };
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    required: [...(one.required ?? []), ...(other.required ?? [])],
  };
}

/** The alternatives of a schema, without null. */
function formsOf(schema: Schema, schemas: Schemas): { forms: Schema[]; isNullable: boolean } {
  const { type, anyOf, oneOf, enum: values } = schema;
  const options = anyOf ?? oneOf;
  if (options) {
    const parts = options.map((option) => {
      const target = resolved(option, schemas);
      const { forms, isNullable } = formsOf(target.schema, schemas);
      return { forms: target.name && forms.length === 1 ? [option] : forms, isNullable };
    });
    return { forms: parts.flatMap(({ forms }) => forms), isNullable: parts.some(({ isNullable }) => isNullable) };
  }
  const types = [type ?? []].flat();
  const stored = types.filter((one) => one !== 'null');
  const isNullable = stored.length < types.length;
  if (types.length > 0 && stored.length === 0) return { forms: [], isNullable };
  if (stored.length > 1) return { forms: stored.map((one) => ({ ...schema, type: one })), isNullable };
  const rest = values?.filter((value) => value !== null);
  return { forms: [{ ...schema, ...(stored[0] && { type: stored[0] }), ...(rest && { enum: rest }) }], isNullable };
}

function canOpen(form: Schema, schemas: Schemas): boolean {
  const { schema } = resolved(form, schemas);
  if (schema.items) return canOpen(schema.items, schemas);
  return schema.properties !== undefined || (schema.anyOf ?? schema.oneOf ?? []).some((one) => canOpen(one, schemas));
}

function labelOf(form: Schema, schemas: Schemas): string {
  const { schema, name } = resolved(form, schemas);
  const kind = onlyValue(schema.properties?.type);
  if (kind !== undefined) return `${name ?? 'object'} (type: ${JSON.stringify(kind)})`;
  return name ?? typeText(schema, schemas);
}

function onlyValue(schema: Schema | undefined): Json | undefined {
  return schema?.enum?.length === 1 ? schema.enum[0] : undefined;
}

function typeText(schema: Schema, schemas: Schemas): string {
  const { type, items, additionalProperties, format, enum: values } = schema;
  const name = [type ?? (values ? 'string' : 'any')]
    .flat()
    .filter((one) => one !== 'null')
    .join(' or ');
  if (name === 'array') return items ? `array of ${plural(shapeOf(items, schemas).type)}` : 'array';
  if (name === 'object' && typeof additionalProperties === 'object') {
    return `map of ${plural(shapeOf(additionalProperties, schemas).type)}`;
  }
  return format ? `${name} (${format})` : name;
}

function plural(type: string): string {
  return /^(string|integer|number|boolean|object|array)\b/.test(type) ? type.replace(/^\w+/, '$&s') : type;
}

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
  const reported = schema.example ?? schema.default ?? schema.enum?.find((value) => value !== null);
  if (reported !== undefined) return reported;
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
  const reported = fields.filter(({ schema }) => schema.example !== undefined);
  const shown = required.length > 0 ? required : reported.length > 0 || depth > 0 ? reported : fields.slice(0, 1);
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
