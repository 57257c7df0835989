import type { OpenAPIObject } from '@nestjs/swagger';
import type { JsonSchema } from '../../common/json-schema.js';

type Parameter = NonNullable<Operation['parameters']>[number];
type Components = NonNullable<OpenAPIObject['components']>;
type Schemas = NonNullable<Components['schemas']>;

export type PathItem = OpenAPIObject['paths'][string];
/** The methods that the documented operations use. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Operation = NonNullable<PathItem['get']>;
export type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;
export type Reference = Extract<Schemas[string], { $ref: string }>;

/** A part of the document. */
export interface DocumentPart {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

export function schemaRef(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

export function idInPath(description: string): Parameter {
  return { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description };
}
