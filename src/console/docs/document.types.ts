import type { OpenAPIObject } from '@nestjs/swagger';
import { type JsonSchema, object } from '../../common/json-schema.js';

type Parameter = NonNullable<Operation['parameters']>[number];

export type PathItem = OpenAPIObject['paths'][string];
/** The methods that the documented operations use. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Operation = NonNullable<PathItem['get']>;
export type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;
type Content = NonNullable<Response['content']>[string];
type Examples = Pick<Content, 'example' | 'examples'>;

/** A part of the document. */
export interface DocumentPart {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The body of a request, with examples of it. */
export function jsonBody(name: string, examples: Examples): NonNullable<Operation['requestBody']> {
  return { required: true, content: { 'application/json': { schema: schemaRef(name), ...examples } } };
}

/** A response with JSON; `events`: the schema of a streamed one. */
export function answer(description: string, schema: Content['schema'], events?: Content): Response {
  return {
    description,
    content: { 'application/json': { schema }, ...(events && { 'text/event-stream': events }) },
  };
}

/** An object that always has all of these properties. */
export function complete(properties: Record<string, JsonSchema>, description?: string): JsonSchema {
  return object(properties, Object.keys(properties), description);
}

export function idInPath(description: string): Parameter {
  return { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description };
}
