import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { Json } from '../../snippets/snippet-api';

/** The parts of a JSON Schema that the pages read. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly Json[];
  readonly default?: Json;
  readonly example?: Json;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>;
}

export interface ResponseDoc {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

interface OperationDoc {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-permission'?: string;
  readonly 'x-reach'?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, ResponseDoc>>;
}

/** An operation with its address. */
export interface Operation extends OperationDoc {
  readonly method: string;
  readonly path: string;
}

export interface ErrorCode {
  readonly status: number;
  readonly code: string;
  readonly meaning: string;
  readonly remedy: string;
}

export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationDoc>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly 'x-error-codes': readonly ErrorCode[];
}

/** The OpenAPI document of what the person can call. */
export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/openapi', { signal }))) as unknown as ApiDocument,
  staleTime: Number.POSITIVE_INFINITY,
});

/** In the order of the document. */
export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method, path })),
  );
}

/** Only those can call it who have the permission for everything. */
export function isForAdmins(operation: Operation): boolean {
  return operation['x-reach'] === 'all';
}

/** The JSON that an operation takes. */
export function jsonBody({ requestBody }: Operation): Content | undefined {
  return requestBody?.content['application/json'];
}
